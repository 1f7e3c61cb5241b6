--[[
Reads settled records that are on their way to Postgres, oldest first.

KEYS[1…] of the slot that all partitions belong to (on a single Redis: of any slot); only route the script (run-script.ts).
ARGV[1]  who reads
ARGV[2]  ms for which the partitions it gets records of are its own; another reader passes them over
ARGV[3]  least age of an entry, ms
ARGV[4]  most records, about
ARGV[5]  most entries of one partition
ARGV[6…] partitions, two digits each, in the order to look at them

Answers a list: the number of records that wait in all these partitions, the time part of the oldest (0: none), and for each
partition with something to read: its number, its epoch (empty: none), and its entries as XRANGE gives them.

The lease only saves work: records that two readers enter are entered once.
]]
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local until_id = string.format('%.0f', now - ARGV[3])
local left = tonumber(ARGV[4])
local waiting, oldest, answer = 0, 0, { 0, '0' }

for index = 6, #ARGV do
  local tag = '{p' .. ARGV[index] .. '}:'
  local stream = tag .. 'usage'
  local entries = call('XLEN', stream)
  if entries > 0 then
    waiting = waiting + entries + tonumber(call('GET', tag .. 'joined') or '0')
    local first = tonumber(string.match(call('XRANGE', stream, '-', '+', 'COUNT', 1)[1][1], '^%d+'))
    if oldest == 0 or first < oldest then oldest = first end
    if left > 0 and first <= now - ARGV[3] then
      local reader = call('GET', tag .. 'drain')
      if not reader or reader == ARGV[1] then
        call('SET', tag .. 'drain', ARGV[1], 'PX', ARGV[2])
        local found = call('XRANGE', stream, '-', until_id, 'COUNT', math.min(ARGV[5], left))
        for _, entry in ipairs(found) do left = left - #entry[2] / 4 end
        answer[#answer + 1] = ARGV[index]
        answer[#answer + 1] = call('GET', tag .. 'epoch') or ''
        answer[#answer + 1] = found
      end
    end
  end
end

answer[1], answer[2] = waiting, string.format('%.0f', oldest)
return answer
