--[[
Deletes entries that are in Postgres and gives the partitions' leases back.

KEYS[1…]  four of each partition: its stream, its lease, how many records the stream holds beyond one for each entry, and how far it
          has been entered into the book
ARGV[1]   who read
ARGV[2…]  of each partition the newest of its entries, empty when there are none, how many entries of several records it has and how many of one; of each of the former the id and
          its number of records; then the ids of the latter

Answers how many entries it deleted. Those that another reader has deleted before are not counted again.
]]
local call = redis.call
-- Arguments of one call; Lua's stack takes about 8000.
local IDS_MAX = 4000
local deleted, at = 0, 2

local function is_later(id, other)
  local ms, sequence = string.match(id, '^(%d+)-(%d+)$')
  local other_ms, other_sequence = string.match(other, '^(%d+)-(%d+)$')
  if ms ~= other_ms then return tonumber(ms) > tonumber(other_ms) end
  return tonumber(sequence) > tonumber(other_sequence)
end

for key = 1, #KEYS, 4 do
  local stream, lease, extra, entered = KEYS[key], KEYS[key + 1], KEYS[key + 2], KEYS[key + 3]
  local newest = ARGV[at]
  at = at + 1
  local joined = 0
  local singles = at + 2 + 2 * tonumber(ARGV[at])
  local last = singles + tonumber(ARGV[at + 1]) - 1
  for several = at + 2, singles - 1, 2 do
    local gone = call('XDEL', stream, ARGV[several])
    deleted = deleted + gone
    joined = joined + gone * (tonumber(ARGV[several + 1]) - 1)
  end
  for from = singles, last, IDS_MAX do
    deleted = deleted + call('XDEL', stream, unpack(ARGV, from, math.min(from + IDS_MAX - 1, last)))
  end
  -- In the step that deletes them, so that a Redis which lacks both has never had them (ledger/redis/older-redis.ts). It only rises.
  if newest ~= '' and is_later(newest, call('GET', entered) or '0-0') then call('SET', entered, newest) end
  if joined > 0 then call('DECRBY', extra, joined) end
  -- An empty stream needs no count; one that went wrong (a stream written by hand or by an older Weir) begins anew.
  if call('XLEN', stream) == 0 then call('DEL', extra) end
  if call('GET', lease) == ARGV[1] then call('DEL', lease) end
  at = last + 1
end
return deleted
