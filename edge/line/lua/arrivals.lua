-- arrivals: who came while Redis was away, from the Doors' journals. Came before the opening and the pool's
-- size is not fixed: an index. Otherwise `late`, by time of arrival. Safe to repeat.
-- keys: META POOL LINE SLOT GONE LATE
-- args: [5] gen; [6…] pairs: place, arrival ms
-- result: {'entered', beat, clock, pooled, late, known, over}, {'stale', gen}, or {'away', reason}

local refused = fence()
if refused then return refused end
refused = older_room(tonumber(ARGV[5]))
if refused then return refused end
local m = facts('phase', 'early', 'opens_at', 'next_index', 'reserved_index', 'pool_size')
local drawing = m.early == 'draw' and m.pool_size == '' and (m.phase == 'upcoming' or m.phase == 'drawing')
local pooled, late, known, over = 0, 0, 0, 0
for i = 6, #ARGV, 2 do
  local place, at = ARGV[i], tonumber(ARGV[i + 1])
  local early = drawing and (m.opens_at == 0 or at < m.opens_at)
  if call('ZSCORE', GONE, place) or call('HGET', SLOT, place) or call('ZSCORE', LINE, place)
    or call('ZSCORE', POOL, place) then
    known = known + 1
  elseif not early then
    call('ZADD', LATE, 'LT', at, place)
    late = late + 1
  elseif m.next_index >= m.reserved_index then
    over = over + 1
  else
    call('ZADD', POOL, m.next_index, place)
    call('ZREM', LATE, place)
    m.next_index = m.next_index + 1
    pooled = pooled + 1
  end
end
call('HSET', META, 'next_index', m.next_index)
return {'entered', beat, clock, pooled, late, known, over}
