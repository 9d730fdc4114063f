-- tick: one beat of the room. Ends what is over, drops who is no longer at the door, admits the next ones
-- to their slots, calls more people forward, gives numbers to late arrivals. Only tick moves the clock.
-- keys: META POOL LINE DOOR SEEN INSIDE SLOT GONE PASSES LATE READY ARRIVALS LOG
-- args: [3] the beat whose answer the Room has stored; [5] JSON {gen, ack, advance (people), joinsLate,
--   numberLate, reserved: {number, index}, settings: {version, phase, hold, endInside, opensAt ms,
--   ratePerMinute, activeMax, sessionMs, claimMs, early, poolSize}}
-- result: {'ticked', beat, clock, phase, version, ack, again 0|1, calledFrom, calledTo, called, popped,
--   {row…}, {'number:at'…}, {counts…}}, {'stale', gen}, or {'away', reason}

-- One budget for all work of a tick, so that it stays under 10 ms whatever is due.
local BUDGET, COST_SLOT = 2000, 3
local EXPIRE_MAX, DROP_MAX, POP_MAX, LATE_MAX = 300, 1000, 200, 1000
local ROWS_MAX, LOG_MAX, ARRIVALS_MAX = 1000, 20000, 1000
local CARRY_MS, RECENT_MS, CATCH_UP = 2000, 20000, 0.25

local refused = fence()
if refused then return refused end
local input = cjson.decode(ARGV[5])
refused = older_room(input.gen)
if refused then return refused end

local repeated = beat > BEAT
local m = facts('version', 'version_gen', 'phase', 'hold', 'end_inside', 'rate', 'rates', 'active_max', 'claim_ms',
  'early', 'pool_size', 'bucket', 'pops', 'last', 'filled', 'calling', 'by_numbers', 'log_first', 'unclaimed', 'freed',
  'reserved_number', 'reserved_index')
local gap = math.max(0, raw - clock)
now = math.max(clock, raw)
if gap > STALL_MS then grace = now + GRACE_MS end

-- Settings come with every tick; an older set never undoes a newer one.
local s = input.settings
if input.gen > m.version_gen or (input.gen == m.version_gen and s.version > m.version) then
  if s.ratePerMinute ~= m.rate then
    local kept = ''
    for r, ended in string.gmatch(m.rates or '', '([%d%.]+)@(%d+);') do
      if tonumber(ended) > now - WINDOW_MS and tonumber(r) > m.rate then kept = kept .. r .. '@' .. ended .. ';' end
    end
    m.rates = kept .. m.rate .. '@' .. digits(now) .. ';'
  end
  m.version, m.version_gen, m.phase, m.rate = s.version, input.gen, s.phase, s.ratePerMinute
  m.hold, m.end_inside = s.hold and 1 or 0, s.endInside and 1 or 0
  m.active_max, m.claim_ms, m.early = s.activeMax, s.claimMs, s.early
  -- A pool once shut, or a size once fixed, stays so.
  if m.pool_size == '' and s.poolSize ~= cjson.null then
    m.pool_size = s.poolSize
    m.last = math.max(m.last, s.poolSize)
  end
  call('HSET', META, 'version', m.version, 'version_gen', m.version_gen, 'phase', m.phase, 'rate', m.rate,
    'rates', m.rates, 'hold', m.hold, 'end_inside', m.end_inside, 'active_max', m.active_max,
    'session_ms', s.sessionMs, 'claim_ms', m.claim_ms, 'early', m.early, 'pool_size', m.pool_size,
    'opens_at', s.opensAt == cjson.null and 0 or s.opensAt)
end
-- The first tick or join at or after the opening shuts the pool.
local opens_at = tonumber(call('HGET', META, 'opens_at'))
if m.phase == 'upcoming' and m.early == 'draw' and opens_at > 0 and now >= opens_at then
  m.phase = 'drawing'
  call('HSET', META, 'phase', m.phase)
end
m.reserved_number = math.max(m.reserved_number, input.reserved.number)
m.reserved_index = math.max(m.reserved_index, input.reserved.index)
local admitting = m.phase == 'open' and m.hold == 0

-- Rows that the Room has stored are dropped; with too many unstored ones nothing more is done.
local length = call('LLEN', LOG)
local stored = math.min(length, math.max(0, input.ack - m.log_first + 1))
if stored > 0 then
  call('LTRIM', LOG, stored, -1)
  m.log_first, length = m.log_first + stored, length - stored
end
local log, again, budget = {}, false, BUDGET
if length >= LOG_MAX then budget = 0 end

call('ZREMRANGEBYSCORE', PASSES, '-inf', digits(now - WINDOW_MS))
local cap = math.max(1, m.rate * CARRY_MS / 60000)
m.bucket = math.min(m.bucket, math.max(cap, m.rate))
m.pops = m.pops * math.exp(-gap / RECENT_MS)
if admitting then
  -- Pages in the background claim late and in lumps, and a lump is cut off by the window. While claims lag
  -- behind calls and nobody stands ready, some more are called, or the set rate would not be met.
  -- As long as the claims go back, no longer: at the opening there are fewer of them for that alone, and a
  -- first burst would come again with every window.
  local oldest = call('ZRANGE', PASSES, 0, 0, 'WITHSCORES')[2]
  local called = oldest and m.pops * math.max(0, math.min(WINDOW_MS, now - oldest)) / RECENT_MS or 0
  local lag = call('ZCARD', READY) == 0 and called - call('ZCARD', PASSES) or 0
  local pace = m.rate + math.max(0, math.min(lag * WINDOW_MS / RECENT_MS, m.rate * CATCH_UP))
  m.bucket = math.max(m.bucket, math.min(cap, m.bucket + pace * math.min(gap, CARRY_MS) / 60000))
end

-- Slots that are over. An unclaimed one gives its share of the rate back.
local ending = m.end_inside == 1
local due = {}
if budget > 0 and (ending or now >= grace) then
  due = call('ZRANGEBYSCORE', INSIDE, '-inf', ending and '+inf' or now, 'LIMIT', 0, EXPIRE_MAX)
end
for _, place in ipairs(due) do
  local slot = read_slot(place)
  if not slot then
    call('ZREM', INSIDE, place)
  elseif slot.claimed > 0 then
    local kind = end_slot(place, slot)
    log[#log + 1] = row_text(kind, place, slot, now)
  else
    if not ending then slot.misses = slot.misses + 1 end
    local kind = 'missed'
    if slot.misses >= MISSES_MAX then
      kind, slot.ending = 'gone', 'G'
      call('ZADD', GONE, 'NX', now, place)
    else
      call('ZADD', LINE, slot.number, place)
    end
    call('ZREM', INSIDE, place)
    call('ZREM', READY, place)
    call('ZREM', SEEN, place)
    write_slot(place, slot)
    m.bucket = m.bucket + 1
    call('HINCRBY', META, 'unclaimed', ending and 0 or 1)
    call('HINCRBY', META, 'freed', 1)
    log[#log + 1] = row_text(kind, place, slot, now)
  end
end
budget = budget - COST_SLOT * #due
again = again or #due == EXPIRE_MAX

-- Who is no longer present leaves the door and stays in the line.
if now >= grace and budget > 0 then
  local absent = call('ZRANGEBYSCORE', SEEN, '-inf', now, 'LIMIT', 0, DROP_MAX)
  if #absent > 0 then
    call('ZREM', SEEN, unpack(absent))
    call('ZREM', DOOR, unpack(absent))
    call('ZREM', READY, unpack(absent))
  end
  budget = budget - math.floor(#absent / 2)
  again = again or #absent == DROP_MAX
end

-- Admission to a slot. Whoever is at the door but not in the line is not let in.
local popped = 0
if admitting and budget > 0 then
  local free = m.active_max - call('ZCARD', INSIDE)
  local n = math.min(math.floor(m.bucket), free, POP_MAX, math.floor(budget / COST_SLOT))
  local batch = n > 0 and call('ZPOPMIN', DOOR, n) or {}
  local places = {}
  for i = 1, #batch, 2 do places[#places + 1] = batch[i] end
  if #places > 0 then
    local numbers, gone = call('ZMSCORE', LINE, unpack(places)), call('ZMSCORE', GONE, unpack(places))
    local seen, slots = call('ZMSCORE', SEEN, unpack(places)), call('HMGET', SLOT, unpack(places))
    local add, set = {}, {}
    for i, place in ipairs(places) do
      if numbers[i] and not gone[i] then
        local slot = slots[i] and parse_slot(slots[i]) or {misses = 0}
        slot.number, slot.claimed, slot.ending = tonumber(numbers[i]), 0, ''
        local deadline = math.max(tonumber(seen[i] or now), now) + m.claim_ms
        add[#add + 1], add[#add + 2] = deadline, place
        set[#set + 1], set[#set + 2] = place, slot_text(slot)
        log[#log + 1] = row_text('called', place, slot, deadline)
        popped = popped + 1
      end
    end
    if popped > 0 then
      call('HSET', SLOT, unpack(set))
      call('ZADD', INSIDE, unpack(add))
      call('ZREM', LINE, unpack(places))
    end
    call('ZREM', SEEN, unpack(places))
  end
  m.bucket, m.pops = m.bucket - popped, m.pops + popped
  budget = budget - COST_SLOT * popped
  again = again or (popped == POP_MAX and m.bucket >= 1 and free > popped and call('ZCARD', DOOR) > 0)
end

-- Call forward: by people, or by numbers while most people of a lost line have not come back yet.
local from, called = m.calling, 0
if admitting and input.advance > 0 and not repeated then
  local top = (m.pool_size ~= '' and m.filled < m.pool_size) and m.filled or m.last
  local target = m.calling
  if now < m.by_numbers then
    target = m.calling + input.advance
  else
    local rank = call('ZCOUNT', LINE, '-inf', m.calling)
    local found = call('ZRANGE', LINE, rank + input.advance - 1, rank + input.advance - 1, 'WITHSCORES')
    if not found[2] then found = call('ZRANGE', LINE, -1, -1, 'WITHSCORES') end
    if found[2] then target = tonumber(found[2]) end
  end
  m.calling = math.max(m.calling, math.min(target, top))
  called = call('ZCOUNT', LINE, '(' .. from, m.calling)
end

-- Late arrivals, in the order in which they came.
local may_number = m.phase == 'open' or m.phase == 'paused' or m.phase == 'sold_out'
  or (m.phase == 'upcoming' and m.early == 'fifo')
local room_left = m.reserved_number - m.last
if input.numberLate and may_number and budget > 0 and room_left > 0 then
  local batch = call('ZPOPMIN', LATE, math.min(LATE_MAX, budget, room_left))
  local places = {}
  for i = 1, #batch, 2 do places[#places + 1] = batch[i] end
  if #places > 0 then
    local in_line, gone = call('ZMSCORE', LINE, unpack(places)), call('ZMSCORE', GONE, unpack(places))
    local slots, pooled = call('HMGET', SLOT, unpack(places)), call('ZMSCORE', POOL, unpack(places))
    local add = {}
    for i, place in ipairs(places) do
      if not (in_line[i] or gone[i] or slots[i] or pooled[i]) then
        m.last = m.last + 1
        add[#add + 1], add[#add + 2] = m.last, place
      end
    end
    if #add > 0 then call('ZADD', LINE, unpack(add)) end
  end
  again = again or call('ZCARD', LATE) > 0
end

if #log > 0 then call('RPUSH', LOG, unpack(log)) end
local rows = call('LRANGE', LOG, 0, ROWS_MAX - 1)
again = again or length + #log > ROWS_MAX
local arrivals = call('LRANGE', ARRIVALS, 0, ARRIVALS_MAX - 1)
call('LTRIM', ARRIVALS, #arrivals, -1)
clock, stamp, beat = now, now, beat + 1
call('HSET', META, 'beat', beat, 'clock', clock, 'grace', grace, 'bucket', m.bucket, 'pops', m.pops, 'last', m.last,
  'calling', m.calling, 'log_first', m.log_first, 'joins_late', input.joinsLate and 1 or 0, 'resting', 0,
  'reserved_number', m.reserved_number, 'reserved_index', m.reserved_index)
return {'ticked', beat, clock, m.phase, m.version, m.log_first + #rows - 1, again and 1 or 0, from, m.calling,
  called, popped, rows, arrivals, counts()}
