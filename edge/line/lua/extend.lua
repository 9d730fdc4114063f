-- extend: the core lengthens a claimed slot while its fan pays. Never shortens, never lets anybody in.
-- keys: META INSIDE SLOT
-- args: [5] place; [6] jti; [7] until ms
-- result: {'extended', beat, clock, until ms, row}, {'unchanged', beat, clock}, or {'away', reason}

local AHEAD_MAX_MS = 3600000

local refused = fence()
if refused then return refused end
local place = ARGV[5]
local slot = read_slot(place)
local ends = tonumber(call('ZSCORE', INSIDE, place) or nil)
if not slot or not ends or slot.claimed == 0 or slot.ending ~= '' or place .. '.' .. slot.misses ~= ARGV[6] then
  return {'unchanged', beat, clock}
end
ends = math.max(ends, math.min(tonumber(ARGV[7]), now + AHEAD_MAX_MS))
call('ZADD', INSIDE, 'XX', ends, place)
return {'extended', beat, clock, ends, row_text('claimed', place, slot, ends)}
