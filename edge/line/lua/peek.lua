-- peek: what turn would find, without a heartbeat and without a claim. Writes nothing.
-- keys: META POOL LINE DOOR INSIDE SLOT GONE LATE
-- args: [5] place; [6] number from the receipt (0: none)
-- result: as turn

local refused = fence()
if refused then return refused end
local place, given = ARGV[5], tonumber(ARGV[6])
local m = facts('phase', 'calling', 'pool_size', 'filled')
local function answer(state, ...) return {state, beat, clock, m.calling, m.phase, ...} end

if call('ZSCORE', GONE, place) then return answer('gone', gone_row(place)) end
local slot = read_slot(place)
local ends = tonumber(call('ZSCORE', INSIDE, place) or nil)
if slot and ends then
  if slot.claimed == 0 or ends <= now then return answer('ready', slot.number, 1000) end
  return answer('admitted', row_text('claimed', place, slot, ends))
end
local own = given > 0 and given or tonumber(call('ZSCORE', LINE, place) or nil) or (slot and slot.number) or 0
if own == 0 then
  local index = call('ZSCORE', POOL, place)
  if index then return answer('pooled', tonumber(index)) end
  local since = call('ZSCORE', LATE, place)
  if since then return answer('late', tonumber(since)) end
  return answer('unknown')
end
local ahead = call('ZCOUNT', LINE, '-inf', '(' .. own)
if m.pool_size ~= '' and m.filled < m.pool_size and own > m.filled then
  local in_line = call('ZCOUNT', LINE, '(' .. m.filled, '(' .. own)
  ahead = ahead + math.max(0, math.min(own - 1, m.pool_size) - m.filled - in_line)
end
return answer('waiting', own, ahead, call('ZSCORE', DOOR, place) and 1 or 0, slot and slot.misses or 0)
