-- whole: what must hold between the keys of a line, looked at from outside. Writes nothing.
-- keys: META POOL LINE DOOR SEEN INSIDE SLOT GONE PASSES LATE READY ARRIVALS LOG
-- args: none
-- result: {sentence…}, empty when all is well

local META, POOL, LINE, DOOR, SEEN, INSIDE, SLOT, GONE, PASSES, LATE, READY = unpack(KEYS)
local call, found = redis.call, {}
if call('HGET', META, 'filling') ~= '0' then return found end
local function say(...) found[#found + 1] = table.concat({...}, ' ') end
local function members(key) return call('ZRANGE', key, 0, -1) end

local last = tonumber(call('HGET', META, 'last'))
local numbers = {}
local line = call('ZRANGE', LINE, 0, -1, 'WITHSCORES')
for i = 1, #line, 2 do
  local place, number = line[i], line[i + 1]
  if numbers[number] then say('number', number, 'stands twice in the line:', numbers[number], place) end
  numbers[number] = place
  if tonumber(number) > last then say('number', number, 'is above the last one given') end
  if call('ZSCORE', INSIDE, place) then say(place, 'waits and is inside') end
  if call('ZSCORE', GONE, place) then say(place, 'waits and is gone') end
  if call('ZSCORE', POOL, place) then say(place, 'stands in the line and in the pool') end
  if call('ZSCORE', LATE, place) then say(place, 'stands in the line and is late') end
end
for _, place in ipairs(members(READY)) do
  if not call('ZSCORE', INSIDE, place) then say(place, 'is ready for a slot that it does not have') end
end
for _, place in ipairs(members(INSIDE)) do
  local slot = call('HGET', SLOT, place)
  if not slot then say(place, 'is inside without a slot')
  elseif call('ZSCORE', GONE, place) and string.sub(slot, -1) ~= 'L' then say(place, 'is inside and gone') end
end
local indexes = {}
local pool = call('ZRANGE', POOL, 0, -1, 'WITHSCORES')
for i = 1, #pool, 2 do
  if indexes[pool[i + 1]] then say('index', pool[i + 1], 'was given twice') end
  indexes[pool[i + 1]] = pool[i]
end
return found
