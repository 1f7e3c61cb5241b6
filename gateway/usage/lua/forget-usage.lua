--[[
Deletes entries that are in Postgres and gives the partition's lease back.

KEYS[1]  the partition's stream
KEYS[2]  the partition's lease
ARGV[1]  who read
ARGV[2…] ids of the entries

Answers how many it deleted.
]]
local deleted = 0
-- Arguments of one call; Lua's stack takes about 8000.
local IDS_MAX = 4000
for from = 2, #ARGV, IDS_MAX do
  deleted = deleted + redis.call('XDEL', KEYS[1], unpack(ARGV, from, math.min(from + IDS_MAX - 1, #ARGV)))
end
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
return deleted
