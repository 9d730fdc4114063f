-- join: a place enters the room, or shows that it is known. Safe to repeat: the same answer.
-- keys: META POOL LINE DOOR INSIDE SLOT GONE LATE
-- args: [5] place; [6] receipt none|number|index; [7] its value (0 for none)
-- result: {'numbered', beat, clock, number, new 0|1, at ms, phase}, {'pooled', …, index, …}, {'late', …, 0, …},
--   {'busy'|'gone'|'closed', beat, clock}, or {'away', reason}

local refused = fence()
if refused then return refused end
local place, kind, value = ARGV[5], ARGV[6], tonumber(ARGV[7])
local m = facts('phase', 'early', 'opens_at', 'last', 'next_index', 'reserved_number', 'reserved_index',
  'joins_late', 'pool_size', 'filled')

local function answer(state, n, is_new, at)
  return {state, beat, clock, n, is_new, at, m.phase}
end

if call('ZSCORE', GONE, place) then return {'gone', beat, clock} end
local slot = read_slot(place)
if slot and call('ZSCORE', INSIDE, place) then return answer('numbered', slot.number, 0, 0) end

-- The signed number wins over whatever a Redis that lost writes has put in its stead.
local number = tonumber(call('ZSCORE', LINE, place) or nil)
if kind == 'number' or number then
  local own = kind == 'number' and value or number
  if own ~= number then
    call('ZADD', LINE, own, place)
    call('ZADD', DOOR, 'XX', own, place)
    call('ZREM', POOL, place)
    call('ZREM', LATE, place)
    if own > m.last then call('HSET', META, 'last', own) end
  end
  return answer('numbered', own, 0, 0)
end

local index = tonumber(call('ZSCORE', POOL, place) or nil)
if kind == 'index' or index then
  local own = kind == 'index' and value or index
  local open = m.pool_size == '' or (m.phase == 'drawing' and own < m.pool_size and m.filled < m.pool_size)
  if own ~= index and open then
    call('ZADD', POOL, own, place)
    call('ZREM', LATE, place)
    if own >= m.next_index then call('HSET', META, 'next_index', own + 1) end
  end
  return answer('pooled', own, 0, 0)
end

local since = call('ZSCORE', LATE, place)
if since then return answer('late', 0, 0, tonumber(since)) end
if m.phase == 'closed' then return {'closed', beat, clock} end

-- The first join at or after the opening shuts the pool, whether or not the Room has woken up.
if m.phase == 'upcoming' and m.early == 'draw' then
  if m.opens_at == 0 or raw < m.opens_at then
    if m.next_index >= m.reserved_index then return {'busy', beat, clock} end
    call('ZADD', POOL, m.next_index, place)
    call('HINCRBY', META, 'next_index', 1)
    return answer('pooled', m.next_index, 1, stamp)
  end
  call('HSET', META, 'phase', 'drawing')
  m.phase = 'drawing'
end

-- Nobody may overtake those whose number is still to come.
if m.phase == 'drawing' or m.joins_late == 1 or stalled or call('ZCARD', LATE) > 0 then
  -- Within one millisecond the order of arrival is kept by fractions (4,096 of them are exact).
  local newest = tonumber(call('ZRANGE', LATE, -1, -1, 'WITHSCORES')[2] or nil)
  local at = newest and newest >= stamp and newest < stamp + 1 and newest + 1 / 4096 or stamp
  call('ZADD', LATE, at, place)
  return answer('late', 0, 1, stamp)
end
if m.last >= m.reserved_number then return {'busy', beat, clock} end
call('ZADD', LINE, m.last + 1, place)
call('HSET', META, 'last', m.last + 1)
return answer('numbered', m.last + 1, 1, stamp)
