-- fill: the draw's next numbers, in order, taken from the pool. Acts only where it left off, so a repeat or
-- a second Room changes nothing. An index whose place has left, or is further already, is an empty leaf.
-- keys: META POOL LINE SLOT GONE
-- args: [5] gen; [6] start: acts only if `filled` equals it; [7…] index of number start+1, start+2, …
-- result: {'filled', beat, clock, filled, entered}, {'not_here', beat, clock, filled}, {'stale', gen},
--   or {'away', reason}

local refused = fence()
if refused then return refused end
refused = older_room(tonumber(ARGV[5]))
if refused then return refused end
local start = tonumber(ARGV[6])
local m = facts('filled', 'pool_size')
if m.pool_size == '' or m.filled ~= start then return {'not_here', beat, clock, m.filled} end

local filled, entered = start, 0
for i = 7, #ARGV do
  if filled >= m.pool_size then break end
  filled = filled + 1
  local place = call('ZRANGEBYSCORE', POOL, ARGV[i], ARGV[i], 'LIMIT', 0, 1)[1]
  if place then
    call('ZREM', POOL, place)
    if not call('HGET', SLOT, place) and not call('ZSCORE', GONE, place)
      and call('ZADD', LINE, 'NX', filled, place) == 1 then
      entered = entered + 1
    end
  end
end
call('HSET', META, 'filled', filled)
return {'filled', beat, clock, filled, entered}
