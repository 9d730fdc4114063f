-- Gives back the locks that are still one's own; a lock that has passed to somebody else stays theirs.
-- KEYS: one lock for each seat, `seat:{event}:<seat id>`
-- ARGV: 1 who took them
-- Returns how many were given back.
local given = 0
for _, key in ipairs(KEYS) do
  if redis.call("GET", key) == ARGV[1] then
    given = given + redis.call("DEL", key)
  end
end
return given
