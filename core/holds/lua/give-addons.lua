-- Gives add-on stock back to the counters, where they still are: a new one is filled by the database.
-- KEYS: one counter for each add-on, `addon:{event}:<id>/<variant>`
-- ARGV: how many of each, in the same order
-- Returns how many counters were there.
local given = 0
for i, key in ipairs(KEYS) do
  if redis.call("EXISTS", key) == 1 then
    redis.call("INCRBY", key, ARGV[i])
    given = given + 1
  end
end
return given
