--[[
Deletes entries that are in Postgres and gives the partitions' leases back.

KEYS[1…]  three of each partition: its stream, its lease, and how many records the stream holds beyond one for each entry
ARGV[1]   who read
ARGV[2…]  of each partition how many entries of several records it has and how many of one; of each of the former the id and
          its number of records; then the ids of the latter

Answers how many entries it deleted. Those that another reader has deleted before are not counted again.
]]
local call = redis.call
-- Arguments of one call; Lua's stack takes about 8000.
local IDS_MAX = 4000
local deleted, at = 0, 2

for key = 1, #KEYS, 3 do
  local stream, lease, extra = KEYS[key], KEYS[key + 1], KEYS[key + 2]
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
  if joined > 0 then call('DECRBY', extra, joined) end
  -- An empty stream needs no count; one that went wrong (a stream written by hand or by an older Weir) begins anew.
  if call('XLEN', stream) == 0 then call('DEL', extra) end
  if call('GET', lease) == ARGV[1] then call('DEL', lease) end
  at = last + 1
end
return deleted
