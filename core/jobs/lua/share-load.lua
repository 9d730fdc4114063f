-- Writes down how busy one process is, and reads how busy all of them are. By this server's clock, since
-- those of the processes differ.
-- KEYS: 1 the hash of all, `load`
-- ARGV: 1 the process, 2 its load as JSON, 3 how long in ms that counts
-- Returns the loads that count, its own among them.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("HSET", KEYS[1], ARGV[1], string.format("%.0f %s", now, ARGV[2]))
redis.call("PEXPIRE", KEYS[1], ARGV[3])
local loads = {}
local all = redis.call("HGETALL", KEYS[1])
for i = 1, #all, 2 do
  local at, load = string.match(all[i + 1], "^(%d+) (.*)$")
  if tonumber(at) < now - ARGV[3] then
    redis.call("HDEL", KEYS[1], all[i])
  else
    loads[#loads + 1] = load
  end
end
return loads
