-- pool: who holds which index, for the tree of the draw. Changes nothing.
-- keys: META POOL
-- args: [5] first index; [6] how many (at most 4,096)
-- result: {'pool', beat, clock, {place, index, …}}, or {'away', reason}

local refused = fence()
if refused then return refused end
local last = tonumber(ARGV[5]) + tonumber(ARGV[6]) - 1
return {'pool', beat, clock, call('ZRANGEBYSCORE', POOL, ARGV[5], last, 'WITHSCORES')}
