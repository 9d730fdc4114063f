-- release: the core frees a claimed slot (paid, or given up). For another jti, or a place that is not
-- inside, nothing changes.
-- keys: META INSIDE SLOT GONE
-- args: [5] place; [6] jti
-- result: {'released', beat, clock, row}, {'unchanged', beat, clock}, or {'away', reason}

local refused = fence()
if refused then return refused end
local place = ARGV[5]
local slot = read_slot(place)
if not slot or slot.claimed == 0 or place .. '.' .. slot.misses ~= ARGV[6] or not call('ZSCORE', INSIDE, place) then
  return {'unchanged', beat, clock}
end
local kind = end_slot(place, slot)
return {'released', beat, clock, row_text(kind, place, slot, now)}
