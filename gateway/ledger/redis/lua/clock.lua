-- The store's clock, read once per batch, and what is derived from it.
local call = redis.call
local sub, byte, find, match, gsub, format = string.sub, string.byte, string.find, string.match, string.gsub, string.format
local concat = table.concat
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local pack, unpack_struct = struct.pack, struct.unpack

local time = call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000) + ARGV[1]
