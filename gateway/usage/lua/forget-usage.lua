--[[
Deletes entries that are in Postgres and gives the partitions' leases back.

KEYS[1…]  four of each partition: its stream, its lease, how many records the stream holds beyond one for each entry, and how far it
          has been entered into the book
ARGV[1]   who read
ARGV[2…]  four of each partition: the newest of its entries that were read (empty: nothing is to be deleted), how many entries and how
          many records were read up to it, and 1 when its lease is given back, 0 when more of what was read is still to come

Entries are read from the stream's beginning, so all up to the newest are in Postgres.

Returns how many it deleted. Those that another reader has deleted before are not counted again.
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

-- What is left of the entries up to this one, and of their records.
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
    -- Nobody else has deleted anything since a reader has read whose lease it still is.
    if not own then entries, records = count_until(stream, newest) end
    local ms, sequence = split(newest)
    deleted = deleted + call('XTRIM', stream, 'MINID', string.format('%.0f-%.0f', ms, sequence + 1))
    -- In the step that deletes them, so that a Redis which lacks both has never had them (ledger/redis/stale-redis.ts). It only rises.
    if is_later(newest, call('GET', entered) or '0-0') then call('SET', entered, newest) end
    if records > entries then call('DECRBY', extra, records - entries) end
    -- Whoever has the lease now has read what is deleted here, and must not count it once more.
    if not own and entries > 0 then call('DEL', lease) end
  end
  -- An empty stream needs no count; one that went wrong (a stream written by hand or by an older Weir) begins anew.
  if call('XLEN', stream) == 0 then call('DEL', extra) end
  if own and gives_back then call('DEL', lease) end
end
return deleted
