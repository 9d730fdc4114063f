-- Takes the locks of all seats, or of none.
-- KEYS: one lock for each seat, `seat:{event}:<seat id>`
-- ARGV: 1 who takes them, 2 their life in ms
-- Returns the positions (from 1) of those that somebody else has; empty when all were taken.
local taken = {}
for i, key in ipairs(KEYS) do
  local owner = redis.call("GET", key)
  if owner and owner ~= ARGV[1] then
    taken[#taken + 1] = i
  end
end
if #taken == 0 then
  for _, key in ipairs(KEYS) do
    redis.call("SET", key, ARGV[1], "PX", ARGV[2])
  end
end
return taken
