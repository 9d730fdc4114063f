-- turn: the heartbeat of somebody near the front; the first one that finds its slot kept claims it.
-- keys: META POOL LINE DOOR SEEN INSIDE SLOT GONE PASSES LATE READY ARRIVALS
-- args: [5] place; [6] number from the receipt (0: none); [7] hidden 0|1;
--   [8…12] the Door's own row: kind ('' = none), number, misses, claimedAt ms, until ms
-- result: {state, beat, clock, calling, phase, …} with
--   waiting: number, ahead, at door 0|1, calls missed · ready: number, retry ms · pooled: index · late: at ms · unknown
--   admitted: row · gone: row; or {'away', reason}

local PRESENT_MS, PRESENT_HIDDEN_MS = 15000, 90000
local RETRY_MIN_MS, RETRY_MAX_MS, READY_LOOK = 250, 5000, 20

local refused = fence()
if refused then return refused end
local place, given, hidden = ARGV[5], tonumber(ARGV[6]), ARGV[7] == '1'
local present = now + (hidden and PRESENT_HIDDEN_MS or PRESENT_MS)
if ARGV[8] ~= '' then
  apply_row(ARGV[8], place, tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]))
end
local m = facts('phase', 'hold', 'resting', 'calling', 'rate', 'rates', 'session_ms', 'claim_ms',
  'pool_size', 'filled', 'last')

local function answer(state, ...) return {state, beat, clock, m.calling, m.phase, ...} end

-- Those told `ready` go in the order of their numbers: how many of them, still present, come before? (A page
-- in the background asks once a minute; it is not waited for, or the rate would not be met.)
local function ready_before(number, free)
  local before = call('ZCOUNT', READY, '-inf', '(' .. number)
  if before < free then return before end
  for _, other in ipairs(call('ZRANGE', READY, 0, READY_LOOK - 1)) do
    local until_ms = call('ZSCORE', SEEN, other)
    if other ~= place and (not until_ms or tonumber(until_ms) <= now) then call('ZREM', READY, other) end
  end
  return call('ZCOUNT', READY, '-inf', '(' .. number)
end

local function keep_ready(number, deadline, retry)
  call('ZADD', INSIDE, 'XX', 'GT', math.max(deadline, present + m.claim_ms), place)
  call('ZADD', SEEN, 'GT', present, place)
  return answer('ready', number, math.max(RETRY_MIN_MS, math.min(RETRY_MAX_MS, retry)))
end

local function claim(slot, deadline)
  if m.phase ~= 'open' or m.hold == 1 or m.resting == 1 or stalled then
    return keep_ready(slot.number, deadline, RETRY_MAX_MS)
  end
  call('ZREMRANGEBYSCORE', PASSES, '-inf', digits(now - WINDOW_MS))
  local free = window_free(m.rates, m.rate, now)
  local before = ready_before(slot.number, free)
  if before >= free then
    if not hidden then call('ZADD', READY, slot.number, place) end
    local oldest = call('ZRANGE', PASSES, before - free, before - free, 'WITHSCORES')
    local retry = oldest[2] and (tonumber(oldest[2]) + WINDOW_MS - now + 1) or RETRY_MAX_MS
    return keep_ready(slot.number, deadline, retry)
  end
  slot.claimed = stamp
  write_slot(place, slot)
  call('ZADD', PASSES, stamp, place)
  call('ZADD', INSIDE, stamp + m.session_ms, place)
  call('ZREM', READY, place)
  call('ZREM', SEEN, place)
  call('HINCRBY', META, 'admitted', 1)
  return answer('admitted', row_text('claimed', place, slot, stamp + m.session_ms))
end

if call('ZSCORE', GONE, place) then return answer('gone', gone_row(place)) end
local slot = read_slot(place)
local ends = tonumber(call('ZSCORE', INSIDE, place) or nil)
if slot and ends then
  if slot.claimed == 0 then return claim(slot, ends) end
  if ends > now then return answer('admitted', row_text('claimed', place, slot, ends)) end
  -- During the grace after a gap the core may still extend what it could not in time.
  if clock < grace then return answer('ready', slot.number, RETRY_MAX_MS) end
  local kind = end_slot(place, slot)
  return answer('gone', row_text(kind, place, slot, ends))
end

local number = tonumber(call('ZSCORE', LINE, place) or nil)
local own = given > 0 and given or number or (slot and slot.number) or 0
if own == 0 then
  local index = call('ZSCORE', POOL, place)
  if index then return answer('pooled', tonumber(index)) end
  local since = call('ZSCORE', LATE, place)
  if since then return answer('late', tonumber(since)) end
  return answer('unknown')
end
if own ~= number then
  call('ZADD', LINE, own, place)
  call('ZADD', DOOR, 'XX', own, place)
  call('ZREM', POOL, place)
  call('ZREM', LATE, place)
  if own > m.last then call('HSET', META, 'last', own) end
end

local at_door = own <= m.calling and m.phase ~= 'upcoming' and m.phase ~= 'drawing' and m.phase ~= 'closed'
if at_door then
  if call('ZADD', DOOR, own, place) == 1 and not slot then
    call('RPUSH', ARRIVALS, digits(own) .. ':' .. digits(now))
    call('LTRIM', ARRIVALS, -5000, -1)
  end
  call('ZADD', SEEN, 'GT', present, place)
end
local ahead = call('ZCOUNT', LINE, '-inf', '(' .. own)
-- Drawn numbers that are not filled in yet stand in the pool, all of them behind `filled`.
if m.pool_size ~= '' and m.filled < m.pool_size and own > m.filled then
  local in_line = call('ZCOUNT', LINE, '(' .. m.filled, '(' .. own)
  ahead = ahead + math.max(0, math.min(own - 1, m.pool_size) - m.filled - in_line)
end
return answer('waiting', own, ahead, at_door and 1 or 0, slot and slot.misses or 0)
