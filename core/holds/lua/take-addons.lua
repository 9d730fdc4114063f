-- Takes add-on stock from the counters in front of the database: all that is wanted, or nothing. A
-- counter never goes under zero, and one that is not there decides nothing.
-- KEYS: one counter for each add-on, `addon:{event}:<id>/<variant>`
-- ARGV: how many of each, in the same order
-- Returns {"missing"}, {"short", position from 1, what is left}, or {"taken"}.
local left = {}
for i, key in ipairs(KEYS) do
  left[i] = tonumber(redis.call("GET", key))
  if not left[i] then
    return { "missing" }
  end
end
for i in ipairs(KEYS) do
  if left[i] < tonumber(ARGV[i]) then
    return { "short", i, left[i] }
  end
end
for i, key in ipairs(KEYS) do
  redis.call("DECRBY", key, ARGV[i])
end
return { "taken" }
