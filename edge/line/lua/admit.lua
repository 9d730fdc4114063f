-- admit: the organizer lets one place in round the line. It gets a slot like anybody called, within
-- activeMax, and claims it by its own turn, within the rate; it is counted by itself.
-- keys: META LINE DOOR SEEN INSIDE SLOT GONE LOG
-- args: [5] gen; [6] place
-- result: {'called', beat, clock, number, until ms}, {'refused', beat, clock, why}, {'stale', gen}, or {'away', reason}

local CLAIM_MIN_MS = 120000

local refused = fence()
if refused then return refused end
refused = older_room(tonumber(ARGV[5]))
if refused then return refused end
local place = ARGV[6]
local function no(why) return {'refused', beat, clock, why} end
if call('ZSCORE', GONE, place) then return no('gone') end
if call('ZSCORE', INSIDE, place) then return no('inside') end
local number = tonumber(call('ZSCORE', LINE, place) or nil)
if not number then return no('unknown') end
local m = facts('active_max', 'claim_ms')
if call('ZCARD', INSIDE) >= m.active_max then return no('full') end

local slot = read_slot(place) or {misses = 0}
slot.number, slot.claimed, slot.ending = number, 0, ''
local deadline = math.max(now, tonumber(call('ZSCORE', SEEN, place) or now)) + math.max(m.claim_ms, CLAIM_MIN_MS)
write_slot(place, slot)
call('ZADD', INSIDE, deadline, place)
for _, key in ipairs({LINE, DOOR, SEEN}) do call('ZREM', key, place) end
call('HINCRBY', META, 'round', 1)
call('RPUSH', LOG, row_text('called', place, slot, deadline))
return {'called', beat, clock, number, deadline}
