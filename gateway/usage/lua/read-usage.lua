--[[
Reads settled records that are on their way to Postgres, oldest first.

KEYS[1…] of the slot that all partitions belong to (on a single Redis: of any slot); only route the script (run-script.ts).
ARGV[1]  who reads
ARGV[2]  ms for which the partitions it gets records of are its own; another reader passes them over
ARGV[3]  least age of an entry, ms
ARGV[4]  most records, about
ARGV[5…] partitions, two digits each, in the order to look at them; behind the digits the id of the newest entry that the reader has read
         already, nothing when it has read none

Returns a list: the number of records that wait in all these partitions, the time part of the oldest (0: none), by how many ms a
stream is ahead of the clock (0: none is, by more than the least age), 1 when records of that age may have been left (0: none are), and
for each partition with something to read: its number, its epoch (empty: none), the id of the newest entry that was read, how many
entries and how many records were, and the records as `apply_usage` takes them (migration 0002), JSON, a comma between them.

Records are put together here because each text of its own costs the reader more, on its way through its heap, than all that is done with it.

The lease only saves work: records that two readers enter are entered once.
]]
local call, match, gsub, sub, insert, concat = redis.call, string.match, string.gsub, string.sub, table.insert, table.concat
local SUBSCRIPTION = ';([0-9a-f-]+),(%d+),(%d+)'
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local age = tonumber(ARGV[3])
local until_id = string.format('%.0f', now - age)
local left = tonumber(ARGV[4])
local waiting, oldest, ahead, more, answer = 0, 0, 0, 0, { 0, '0', 0, 0 }

-- The list of subscriptions of settle.lua as JSON.
local function subscriptions_json(list)
  local parts = {}
  for id, started, amount in string.gmatch(list, SUBSCRIPTION) do
    insert(parts, '{"id":"' .. id .. '","startedAtMs":' .. started .. ',"amountNanoUsd":' .. amount .. '}')
  end
  return concat(parts, ',')
end

-- Adds a record and its charge of settle.lua to the texts. What is no charge becomes what the book refuses, and is put aside
-- (insert-usage.ts). The record is never joined to anything by itself: Lua would make another text as long as it, and Redis waits for that.
local function add_record(texts, before, record, charge)
  local at = #texts
  texts[at + 1], texts[at + 2] = before, record
  local settled, balance, uncollected, list = match(charge, '^(%d+),(%d+),(%d+)(.*)$')
  if not settled or (list ~= '' and gsub(list, SUBSCRIPTION, '') ~= '') then
    texts[at + 3] = ',"charge":0}'
    return
  end
  texts[at + 3], texts[at + 4] = ',"charge":{"settledAtMs":', settled
  texts[at + 5], texts[at + 6] = ',"balanceNanoUsd":', balance
  texts[at + 7], texts[at + 8] = ',"uncollectedNanoUsd":', uncollected
  texts[at + 9] = list == '' and ',"subscriptions":[]}}' or ',"subscriptions":[' .. subscriptions_json(list) .. ']}}'
end

-- Adds what was found of a partition to the answer; answers how many records it has.
local function add_partition(partition, epoch, found)
  local opening = '{"partition":' .. tonumber(partition) .. ',"epoch":' .. (epoch == '' and 'null' or epoch) .. ',"record":'
  local following = ',' .. opening
  local texts, records = {}, 0
  for _, entry in ipairs(found) do
    local fields = entry[2]
    for at = 1, #fields, 4 do
      add_record(texts, records == 0 and opening or following, fields[at + 1], fields[at + 3])
      records = records + 1
    end
  end
  for _, value in ipairs({ partition, epoch, found[#found][1], #found, records, concat(texts) }) do insert(answer, value) end
  return records
end

for index = 5, #ARGV do
  local partition, read = sub(ARGV[index], 1, 2), sub(ARGV[index], 3)
  local tag = '{p' .. partition .. '}:'
  local stream = tag .. 'usage'
  local entries = call('XLEN', stream)
  if entries > 0 then
    local records = entries + tonumber(call('GET', tag .. 'joined') or '0')
    waiting = waiting + records
    local first = tonumber(match(call('XRANGE', stream, '-', '+', 'COUNT', 1)[1][1], '^%d+'))
    if oldest == 0 or first < oldest then oldest = first end
    -- A clock that was ahead has been set right, and a stream's ids never go back: to wait for them would take as long again. If Redis
    -- loses the end of its log now, it may lack what is in the book, and counts as older than that (ledger/redis/stale-redis.ts).
    local is_ahead = first > now + age
    if is_ahead then ahead = math.max(ahead, first - now) end
    if first <= now - age or is_ahead then
      local reader = call('GET', tag .. 'drain')
      local readable = not reader or reader == ARGV[1]
      if readable and left <= 0 then
        more = 1
      elseif readable then
        call('SET', tag .. 'drain', ARGV[1], 'PX', ARGV[2])
        -- Entries of a busy account have several records each, and Redis is held up for each of them. They have as many on the average
        -- only: fewer records than were asked for do not tell that these are all.
        local most = math.ceil(left * entries / math.max(records, entries))
        local from = read == '' and '-' or '(' .. read
        local found = call('XRANGE', stream, from, is_ahead and '+' or until_id, 'COUNT', most)
        if #found == most then more = 1 end
        if #found > 0 then left = left - add_partition(partition, call('GET', tag .. 'epoch') or '', found) end
      end
    end
  end
end

answer[1], answer[2], answer[3], answer[4] = waiting, string.format('%.0f', oldest), ahead, more
return answer
