--[[
Reads settled records that are on their way to Postgres, oldest first.

KEYS[1…] of the slot that all partitions belong to (on a single Redis: of any slot); only route the script (run-script.ts).
ARGV[1]  who reads
ARGV[2]  ms for which the partitions it gets records of are its own; another reader passes them over
ARGV[3]  least age of an entry, ms
ARGV[4]  most records, about
ARGV[5]  most entries of one partition
ARGV[6…] partitions, two digits each, in the order to look at them

Answers a list: the number of records that wait in all these partitions, the time part of the oldest (0: none), by how many ms a
stream is ahead of the clock (0: none is, by more than the least age), and for each partition with something to read: its number, its epoch (empty: none), and its entries as XRANGE gives them.

The lease only saves work: records that two readers enter are entered once.
]]
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local age = tonumber(ARGV[3])
local until_id = string.format('%.0f', now - age)
local left = tonumber(ARGV[4])
local waiting, oldest, ahead, answer = 0, 0, 0, { 0, '0', 0 }

for index = 6, #ARGV do
  local tag = '{p' .. ARGV[index] .. '}:'
  local stream = tag .. 'usage'
  local entries = call('XLEN', stream)
  if entries > 0 then
    waiting = waiting + entries + tonumber(call('GET', tag .. 'joined') or '0')
    local first = tonumber(string.match(call('XRANGE', stream, '-', '+', 'COUNT', 1)[1][1], '^%d+'))
    if oldest == 0 or first < oldest then oldest = first end
    -- A clock that was ahead has been set right, and a stream's ids never go back: to wait for them would take as long again. If Redis
    -- loses the end of its log now, it may lack what is in the book, and counts as older than that (ledger/redis/older-redis.ts).
    local is_ahead = first > now + age
    if is_ahead then ahead = math.max(ahead, first - now) end
    if left > 0 and (first <= now - age or is_ahead) then
      local reader = call('GET', tag .. 'drain')
      if not reader or reader == ARGV[1] then
        call('SET', tag .. 'drain', ARGV[1], 'PX', ARGV[2])
        local found = call('XRANGE', stream, '-', is_ahead and '+' or until_id, 'COUNT', math.min(ARGV[5], left))
        for _, entry in ipairs(found) do left = left - #entry[2] / 4 end
        answer[#answer + 1] = ARGV[index]
        answer[#answer + 1] = call('GET', tag .. 'epoch') or ''
        answer[#answer + 1] = found
      end
    end
  end
end

answer[1], answer[2], answer[3] = waiting, string.format('%.0f', oldest), ahead
return answer
