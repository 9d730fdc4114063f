-- figures: what the room counts now, at the same cost for any number of people. Writes nothing.
-- keys: META POOL LINE DOOR INSIDE GONE PASSES LATE
-- args: none of its own
-- result: {'figures', beat, clock, phase, {counts…}}, or {'away', reason}

local refused = fence()
if refused then return refused end
return {'figures', beat, clock, call('HGET', META, 'phase'), counts()}
