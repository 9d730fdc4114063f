-- common: put in front of every script, after a line that names its keys (`local META, … = KEYS[1], …`).
-- args: ARGV[1] run_id of the server the client is connected to, '#' and the call's tag, which comes back
--   in front of the answer; [2] restore counter; [3] highest beat
--   the client has seen; [4] now in ms, only in tests ('' = Redis's own TIME). A script's own follow.
-- result of any script whose fence does not hold: {'away', reason}

local SERVER, TAG = string.match(ARGV[1], '^([^#]*)#?(.*)$')
local RESTORE, BEAT = ARGV[2], tonumber(ARGV[3])
local WINDOW_MS = 60000        -- the rate holds for any window of this length
local STALL_MS = 5000          -- no tick for so long: nothing is handed out
local GRACE_MS = 20000         -- after such a gap nothing expires for so long
local STEP_MS = 1000           -- how far a turn may run ahead of the last tick
local MISSES_MAX = 3           -- unclaimed calls until a place is struck out
local call = redis.call

-- Filled by fence(): `clock` is the last tick's time, `raw` the server's (put on the room's clock by
-- `skew`), `now` what every script but tick goes by. `stamp` is the later of clock and raw: a claim is
-- entered in the window under it, so that a late tick can never make a claim look older than it is.
local clock, raw, now, stamp, beat, grace, stalled

-- Lua prints large numbers with an exponent; rows and slots need plain digits.
local function digits(n) return string.format('%.0f', n) end

local function server_ms()
  if ARGV[4] ~= '' then return tonumber(ARGV[4]) end
  local t = call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

local function fence(may_be_filling)
  local v = call('HMGET', META, 'server', 'restore', 'filling', 'beat', 'clock', 'skew', 'grace')
  if v[1] ~= SERVER then return {'away', 'server'} end
  if v[2] ~= RESTORE then return {'away', 'restore'} end
  if v[3] == '1' and not may_be_filling then return {'away', 'filling'} end
  beat, clock, grace = tonumber(v[4]), tonumber(v[5]), tonumber(v[7])
  if beat < BEAT then return {'away', 'rolled_back'} end
  raw = server_ms() + tonumber(v[6])
  now = math.max(clock, math.min(raw, clock + STEP_MS))
  stamp = math.max(clock, raw)
  stalled = raw - clock > STALL_MS
  return nil
end

-- An older Room than one that has spoken is refused; a newer one takes over.
local function older_room(gen)
  local known = tonumber(call('HGET', META, 'gen'))
  if gen < known then return {'stale', known} end
  if gen > known then call('HSET', META, 'gen', gen) end
  return nil
end

local function facts(...)
  local names, values, found = {...}, call('HMGET', META, ...), {}
  for i, name in ipairs(names) do found[name] = tonumber(values[i]) or values[i] end
  return found
end

-- A slot record: number:misses:claimedAt:end, where end is '' (runs, or was never claimed), L (left, the
-- slot runs on), F (finished) or G (gone).
local function parse_slot(text)
  local number, misses, claimed, ending = string.match(text, '^(-?%d+):(%d+):(%d+):(%a?)$')
  return {number = tonumber(number), misses = tonumber(misses), claimed = tonumber(claimed), ending = ending}
end

local function read_slot(place)
  local text = call('HGET', SLOT, place)
  return text and parse_slot(text) or nil
end

local function slot_text(slot)
  return slot.number .. ':' .. slot.misses .. ':' .. digits(slot.claimed) .. ':' .. slot.ending
end

local function write_slot(place, slot)
  call('HSET', SLOT, place, slot_text(slot))
end

-- Ends a slot that a fan had claimed. Whoever had left already counts as gone, the others as finished.
local function end_slot(place, slot)
  call('ZREM', INSIDE, place)
  call('HINCRBY', META, 'freed', 1)
  if slot.ending == 'L' then
    slot.ending = 'G'
    call('HINCRBY', META, 'leaving', -1)
  else
    slot.ending = 'F'
    call('ZADD', GONE, 'NX', now, place)
    call('HINCRBY', META, 'finished', 1)
  end
  write_slot(place, slot)
  return slot.ending == 'F' and 'finished' or 'gone'
end

local function row_text(kind, place, slot, untilMs)
  return kind .. '|' .. place .. '|' .. slot.number .. '|' .. slot.misses .. '|' .. digits(slot.claimed)
    .. '|' .. digits(untilMs)
end

-- The row of a place that is in `gone`, as its Door must keep it.
local function gone_row(place)
  local slot = read_slot(place)
  if not slot then return row_text('gone', place, {number = 0, misses = 0, claimed = 0}, 0) end
  local kind = slot.ending == 'F' and 'finished' or (slot.ending == 'L' and 'left' or 'gone')
  return row_text(kind, place, slot, tonumber(call('ZSCORE', INSIDE, place) or 0))
end

-- How many more may claim now: every stretch of up to a minute that ends now has room for the highest
-- rate in force in it. After a lowering the whole minute still bears the older claims, and the stretch
-- since then no more than the new rate, however many were called before.
-- `rates` is 'rate@endedAt;…', highest first, latest last.
local function window_free(rates, rate, at)
  local free, limit = nil, rate
  local ends = {}
  for r, ended in string.gmatch(rates or '', '([%d%.]+)@(%d+);') do
    if tonumber(ended) > at - WINDOW_MS then table.insert(ends, 1, {tonumber(r), ended}) end
  end
  -- A claim of the moment of the lowering counts to the new rate.
  table.insert(ends, {0, '(' .. digits(at - WINDOW_MS)})
  for _, span in ipairs(ends) do
    local room = math.max(1, math.floor(limit)) - call('ZCOUNT', PASSES, span[2], '+inf')
    free = math.min(free or room, room)
    limit = math.max(limit, span[1])
  end
  return free
end

-- Writes a durable row back into Redis: what a Door or the Room knows and Redis may have lost. Rows may
-- come in any order and more than once: final beats claimed beats called, more strikes beat fewer, and
-- neither a slot nor the window is ever shortened.
local function apply_row(kind, place, number, misses, claimed, untilMs)
  local slot = read_slot(place) or {number = number, misses = misses, claimed = 0, ending = ''}
  if number > 0 then slot.number = number end
  -- The deadline of a call is not the end of a slot: only a claimed end is never shortened.
  local keep = slot.claimed > 0 and 'GT' or 'CH'
  if claimed > 0 and slot.claimed == 0 then call('HINCRBY', META, 'admitted', 1) end
  slot.claimed = math.max(slot.claimed, claimed)
  if claimed > stamp - WINDOW_MS then call('ZADD', PASSES, 'GT', claimed, place) end
  local ended = slot.ending == 'F' or slot.ending == 'G'
  local final = call('ZSCORE', GONE, place)
  local waits = kind == 'called' or kind == 'missed'
  if waits and (final or slot.claimed > 0 or misses < slot.misses) then return end
  slot.misses = math.max(slot.misses, misses)
  if kind == 'missed' then
    if call('ZSCORE', INSIDE, place) then return end
    write_slot(place, slot)
    call('ZADD', LINE, slot.number, place)
    call('ZREM', POOL, place)
    call('ZREM', LATE, place)
    return
  end
  -- Whoever left during an outage may have been entered without hearing of it.
  if slot.number < 0 and call('ZSCORE', POOL, place) then slot.number = 0 end
  if slot.number < 0 then slot.number = tonumber(call('ZSCORE', LINE, place) or slot.number) end
  for _, key in ipairs({LINE, POOL, LATE, DOOR, SEEN, READY}) do call('ZREM', key, place) end
  if kind == 'called' then
    call('ZADD', INSIDE, 'GT', untilMs, place)
  elseif kind == 'claimed' and not final then
    call('ZADD', INSIDE, keep, untilMs, place)
  elseif kind == 'left' and not ended then
    if not final then call('ZADD', GONE, now, place) end
    local inside = call('ZSCORE', INSIDE, place)
    if slot.ending ~= 'L' and (inside or untilMs > now) then
      call('HINCRBY', META, 'leaving', 1)
      call('ZADD', INSIDE, keep, untilMs, place)
      slot.ending = 'L'
    elseif slot.ending ~= 'L' then
      slot.ending = 'G'
    end
  elseif kind == 'finished' or kind == 'gone' then
    if not final then
      call('ZADD', GONE, now, place)
      if kind == 'finished' then call('HINCRBY', META, 'finished', 1) end
      if slot.number < 0 then call('HINCRBY', META, 'unnumbered', 1) end
    end
    if slot.ending == 'L' then call('HINCRBY', META, 'leaving', -1) end
    call('HINCRBY', META, 'freed', call('ZREM', INSIDE, place))
    if not ended then slot.ending = kind == 'finished' and 'F' or 'G' end
  end
  write_slot(place, slot)
end

-- All figures at the same cost for 100 and 1,000,000 people: cardinalities and counters only.
local function counts()
  local m = facts('last', 'next_index', 'pool_size', 'filled', 'calling', 'admitted', 'unclaimed', 'freed',
    'round', 'finished', 'leaving', 'unnumbered')
  local pool, line, inside = call('ZCARD', POOL), call('ZCARD', LINE), call('ZCARD', INSIDE)
  local gone = call('ZCARD', GONE) - m.finished - m.leaving - m.unnumbered
  local issued = m.last
  if m.pool_size == '' then issued = issued + m.next_index end
  local unreturned = issued - pool - line - inside - m.finished - gone
  return {issued, pool + line, call('ZCARD', DOOR), inside, m.finished, gone, unreturned,
    call('ZCARD', LATE), pool, m.next_index, m.last, m.filled, m.calling, m.admitted, m.unclaimed, m.freed,
    call('ZCOUNT', PASSES, '(' .. digits(stamp - WINDOW_MS), '+inf'), m.round}
end
