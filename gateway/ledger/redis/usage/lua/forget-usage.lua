--[[
Deletes entries that are in Postgres and releases leases.

KEYS[1…]  four per partition: its stream, its lease, the count of records beyond one per entry, and
          the position up to which it was inserted
ARGV[1]   the reader
ARGV[2…]  four per partition: the last of its entries that were read (empty: delete nothing), how
          many entries and how many records were read up to it, and 1 to release the lease, 0 when later
          pieces of what was read follow

Entries are read from the start of the stream, so all entries up to the last one are in Postgres.

Returns how many it has deleted. Those that another reader has deleted before are not counted
again.
]]
local call, match = redis.call, string.match
local deleted, at = 0, 2

local function split(id)
  local ms, sequence = match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(sequence)
end

local function is_later(id, other)
  local ms, sequence = split(id)
  local other_ms, other_sequence = split(other)
  if ms ~= other_ms then return ms > other_ms end
  return sequence > other_sequence
end

-- Number of remaining entries up to this one, and of their records.
local function count_until(stream, newest)
  local entries, records = call('XRANGE', stream, '-', newest), 0
  for _, entry in ipairs(entries) do records = records + #entry[2] / 4 end
  return #entries, records
end

for key = 1, #KEYS, 4 do
  local stream, lease, extra, entered = KEYS[key], KEYS[key + 1], KEYS[key + 2], KEYS[key + 3]
  local newest, entries, records = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local own, gives_back = call('GET', lease) == ARGV[1], ARGV[at + 3] == '1'
  at = at + 4
  if newest ~= '' then
    -- Without the lease another reader may have deleted some of them since they were read.
    if not own then entries, records = count_until(stream, newest) end
    local ms, sequence = split(newest)
    deleted = deleted + call('XTRIM', stream, 'MINID', string.format('%.0f-%.0f', ms, sequence + 1))
    -- In the step that deletes them: a Redis that has neither entry nor position has never had the
    -- entry (ledger/redis/recovery/stale-redis.ts). The position only rises.
    if is_later(newest, call('GET', entered) or '0-0') then call('SET', entered, newest) end
    if records > entries then call('DECRBY', extra, records - entries) end
    -- The present holder of the lease has read what is deleted here, and must not count it again.
    if not own and entries > 0 then call('DEL', lease) end
  end
  -- An empty stream needs no count; a wrong one (stream edited by hand or by an older Weir) starts
  -- again.
  if call('XLEN', stream) == 0 then call('DEL', extra) end
  if own and gives_back then call('DEL', lease) end
end
return deleted
