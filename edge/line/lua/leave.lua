-- leave: a fan goes for good. A claimed slot runs on until its end or the core's release, or leaving and
-- coming in a loop would pass the cap.
-- keys: META POOL LINE DOOR SEEN INSIDE SLOT GONE PASSES LATE READY
-- args: [5] place; [6] number from the receipt (0: none);
--   [7…11] the Door's own row: kind ('' = none), number, misses, claimedAt ms, until ms
-- result: {'left', beat, clock, row}, or {'away', reason}

local refused = fence()
if refused then return refused end
local place = ARGV[5]
if ARGV[7] ~= '' then
  apply_row(ARGV[7], place, tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]))
end
if call('ZSCORE', GONE, place) then return {'left', beat, clock, gone_row(place)} end

local slot = read_slot(place)
local ends = tonumber(call('ZSCORE', INSIDE, place) or nil)
local number = tonumber(call('ZSCORE', LINE, place) or nil)
local index = call('ZSCORE', POOL, place)
call('ZADD', GONE, now, place)
if slot and ends and slot.claimed > 0 then
  slot.ending = 'L'
  write_slot(place, slot)
  call('HINCRBY', META, 'leaving', 1)
  return {'left', beat, clock, row_text('left', place, slot, ends)}
end
if ends then
  -- A call that nobody claimed gives its share of the rate back.
  call('ZREM', INSIDE, place)
  call('HINCRBY', META, 'freed', 1)
  call('HINCRBYFLOAT', META, 'bucket', 1)
end
for _, key in ipairs({LINE, POOL, LATE, DOOR, SEEN, READY}) do call('ZREM', key, place) end
local own = slot and slot.number or number or tonumber(ARGV[6])
if own == 0 and not index then
  own = -1
  call('HINCRBY', META, 'unnumbered', 1)
end
if slot then
  slot.ending = 'G'
  write_slot(place, slot)
end
local kept = {number = own, misses = slot and slot.misses or 0, claimed = 0}
return {'left', beat, clock, row_text('gone', place, kept, now)}
