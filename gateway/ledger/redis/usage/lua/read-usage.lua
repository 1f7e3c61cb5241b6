--[[
Reads settled records that are on their way to Postgres, oldest first.

KEYS[1…] of the slot of all partitions (on a single Redis of any slot); they only route the script.
ARGV[1]  the reader
ARGV[2]  duration of the leases, ms: another reader skips partitions of which this one gets records
ARGV[3]  least age of an entry, ms
ARGV[4]  approximate maximum of records
ARGV[5…] partitions, two digits each, in the order to visit them; after the digits the id of the
         last entry that the reader has read, nothing when it has read none

Returns a list: the number of records in all these partitions, the time part of the oldest (0:
none), how many ms a stream is ahead of the clock (0 unless that exceeds the least age), 1 when
records of that age may be left (otherwise 0), and for each partition with something to read: its
number, its epoch (empty: none), the id of the last entry that was read, the number of entries, the
number of records, and the records as elements of the argument of `enter_usage`, JSON, separated by
commas.

Records are concatenated here because each string of its own costs the reader more, in garbage
collection, than everything else that is done with it.

The lease only saves work: records that two readers insert are inserted once.
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

-- Adds a record and its charge (settle.lua) to the texts: one object with the members of both. A
-- malformed record or charge becomes an object that Postgres rejects, which quarantines the record
-- (insert-usage.ts).
local function add_record(texts, following, record, charge)
  local at = #texts
  if at > 0 then
    at = at + 1
    texts[at] = ','
  end
  local settled, balance, uncollected, list = match(charge, '^(%d+),(%d+),(%d+)(.*)$')
  if sub(record, -1) ~= '}' or not settled or (list ~= '' and gsub(list, SUBSCRIPTION, '') ~= '') then
    texts[at + 1] = '{"requestId":0}'
    return
  end
  texts[at + 1], texts[at + 2] = sub(record, 1, -2), following
  texts[at + 3], texts[at + 4] = settled, ',"balanceNanoUsd":'
  texts[at + 5], texts[at + 6] = balance, ',"uncollectedNanoUsd":'
  texts[at + 7] = uncollected
  texts[at + 8] = list == '' and ',"subscriptions":[]}' or ',"subscriptions":[' .. subscriptions_json(list) .. ']}'
end

-- Adds the entries of a partition to the reply; returns how many records they have.
local function add_partition(partition, epoch, found)
  local following = ',"partition":' .. tonumber(partition) .. ',"epoch":' .. (epoch == '' and 'null' or epoch) .. ',"settledAtMs":'
  local texts, records = {}, 0
  for _, entry in ipairs(found) do
    local fields = entry[2]
    for at = 1, #fields, 4 do
      add_record(texts, following, fields[at + 1], fields[at + 3])
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
    -- The clock was ahead and was set back, and stream ids never go back: waiting for them would
    -- take as long again. If Redis loses the end of its log now, it may lack what is in Postgres,
    -- and counts as stale (ledger/redis/recovery/stale-redis.ts).
    local is_ahead = first > now + age
    if is_ahead then ahead = math.max(ahead, first - now) end
    if first <= now - age or is_ahead then
      local reader = call('GET', tag .. 'drain')
      local readable = not reader or reader == ARGV[1]
      if readable and left <= 0 then
        more = 1
      elseif readable then
        call('SET', tag .. 'drain', ARGV[1], 'PX', ARGV[2])
        -- Entries of a busy account have several records each, and each record costs Redis time.
        -- The ratio is an average: fewer records than requested do not mean that these are all.
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
