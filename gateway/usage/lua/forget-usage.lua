--[[
Deletes entries that are in Postgres and gives the partition's lease back.

KEYS[1]  the partition's stream
KEYS[2]  the partition's lease
KEYS[3]  how many records the stream holds beyond one for each entry
ARGV[1]  who read
ARGV[2]  how many entries of several records follow
ARGV[3…] of each of these the id and its number of records; then the ids of entries of one record

Answers how many entries it deleted. Those that another reader has deleted before are not counted again.
]]
local deleted, joined = 0, 0
local singles = 3 + 2 * tonumber(ARGV[2])
for at = 3, singles - 1, 2 do
  local gone = redis.call('XDEL', KEYS[1], ARGV[at])
  deleted = deleted + gone
  joined = joined + gone * (tonumber(ARGV[at + 1]) - 1)
end
-- Arguments of one call; Lua's stack takes about 8000.
local IDS_MAX = 4000
for from = singles, #ARGV, IDS_MAX do
  deleted = deleted + redis.call('XDEL', KEYS[1], unpack(ARGV, from, math.min(from + IDS_MAX - 1, #ARGV)))
end
if joined > 0 then redis.call('DECRBY', KEYS[3], joined) end
-- An empty stream needs no count; one that went wrong (a stream written by hand or by an older Weir) begins anew.
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[3]) end
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
return deleted
