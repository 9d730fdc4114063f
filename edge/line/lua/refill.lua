-- refill: makes this server the line's, from the records of Room and Doors. Three steps: `begin` keeps what
-- can only be true (who stands where, who is gone) and drops what may be out of date (door, inside, slots,
-- window); `rows` writes the records back; `end` opens the fence. Also the first start of an epoch.
-- keys: META POOL LINE DOOR SEEN INSIDE SLOT GONE PASSES LATE READY ARRIVALS LOG
-- args: [5] step begin|rows|end; [6] gen; begin: [7] JSON RefillBegin; rows: [7…] six each: kind, place,
--   number, misses, claimedAt ms, until ms
-- result: {'ok', beat, clock, {counts…}}, {'stale', gen}, or {'away', reason}

local RESTORE_CALL_MS = 120000  -- so long after a loss `calling` moves by numbers, not by people

local step, gen = ARGV[5], tonumber(ARGV[6])

local function begin(b)
  local v = call('HMGET', META, 'restore', 'gen', 'clock', 'last', 'next_index', 'filled', 'calling', 'finished',
    'unnumbered', 'reserved_number', 'reserved_index', 'pool_size')
  if v[2] and gen < tonumber(v[2]) then return {'stale', tonumber(v[2])} end
  if v[1] and tonumber(RESTORE) <= tonumber(v[1]) then return {'away', 'restore'} end
  local function highest(i, other) return math.max(tonumber(v[i] or 0) or 0, other) end
  call('UNLINK', DOOR, SEEN, INSIDE, SLOT, PASSES, READY, ARRIVALS, LOG)

  -- Clocks of two servers differ; the room's own goes on as the Room has reckoned it.
  local server = server_ms()
  clock = highest(3, b.clock > 0 and b.clock + b.elapsedMs or server)
  local s = b.settings
  local pool_size = s.poolSize ~= cjson.null and s.poolSize or v[12] or ''
  local reserved = {number = highest(10, b.reserved.number), index = highest(11, b.reserved.index)}
  local drawn = s.early == 'fifo' or pool_size ~= ''
  -- Numbers and indexes under the ceiling may all have been given: counting goes on at the ceiling.
  local last = (b.fresh or not drawn) and highest(4, 0) or highest(4, reserved.number)
  local next_index = (b.fresh or drawn) and highest(5, 0) or highest(5, reserved.index)
  local filled = highest(6, 0)
  if pool_size ~= '' then
    last = math.max(last, tonumber(pool_size))
    if call('ZCARD', POOL) == 0 then filled = tonumber(pool_size) end
  end
  call('DEL', META)
  call('HSET', META, 'server', SERVER, 'restore', RESTORE, 'filling', 1, 'fresh', b.fresh and 1 or 0, 'gen', gen,
    'beat', b.beat, 'clock', clock, 'skew', clock - server, 'grace', 0, 'version', s.version, 'version_gen', gen,
    'phase', s.phase, 'hold', s.hold and 1 or 0, 'end_inside', s.endInside and 1 or 0,
    'opens_at', s.opensAt == cjson.null and 0 or s.opensAt, 'rate', s.ratePerMinute,
    'rates', b.fresh and '' or (b.highestRate .. '@' .. digits(clock) .. ';'), 'active_max', s.activeMax,
    'session_ms', s.sessionMs, 'claim_ms', s.claimMs, 'early', s.early, 'pool_size', pool_size,
    'reserved_number', reserved.number, 'reserved_index', reserved.index, 'last', last, 'next_index', next_index,
    'filled', filled, 'calling', highest(7, b.calling), 'by_numbers', 0, 'bucket', 0, 'pops', 0, 'joins_late', 0,
    'resting', 0,
    'log_first', b.ack + 1, 'admitted', 0, 'admitted_stored', b.admitted, 'unclaimed', b.unclaimed, 'freed', b.freed,
    'round', b.roundTheLine, 'finished', highest(8, 0), 'leaving', 0, 'unnumbered', highest(9, 0))
  return nil
end

if step == 'begin' then
  local refused = begin(cjson.decode(ARGV[7]))
  if refused then return refused end
end
local refused = fence(true)
if refused then return refused end
if call('HGET', META, 'filling') ~= '1' then return {'away', 'restore'} end
refused = older_room(gen)
if refused then return refused end

if step == 'rows' then
  for i = 7, #ARGV, 6 do
    apply_row(ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]),
      tonumber(ARGV[i + 5]))
  end
elseif step == 'end' then
  clock = math.max(clock, raw)
  -- What the Room has decided since `begin` comes with its first tick: until then nobody claims.
  if call('HGET', META, 'fresh') == '0' then
    call('HSET', META, 'grace', clock + GRACE_MS, 'by_numbers', clock + RESTORE_CALL_MS, 'joins_late', 1,
      'resting', 1)
  end
  local admitted, stored = tonumber(call('HGET', META, 'admitted')), tonumber(call('HGET', META, 'admitted_stored'))
  call('HSET', META, 'filling', 0, 'clock', clock, 'admitted', math.max(admitted, stored))
end
stamp = clock
return {'ok', beat, clock, counts()}
