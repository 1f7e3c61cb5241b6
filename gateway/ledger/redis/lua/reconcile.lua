--[[
The state of some accounts of one partition, at one moment.

KEYS[1…] of the partition's slot; they only route the script (run-script.ts).
ARGV[1]  the partition's tag, "{pNN}:"
ARGV[2…] accounts

Returns one line per account that the store has:
  "<account>,<available>,<held>,<owed>,<creditSequence>,<inFlight>,<undrained>" and per key
  ";<key>,<inFlight>,<held>,<spentTotal>,<undrained>"
and per scope, which is b, t<team> or m<member> (accounts.lua),
  ";<scope>,<inFlight>,<held>,<spentTotal>,<undrained>,<dayEnd>,<spentDay>,<monthEnd>,<spentMonth>"
`undrained` is what records in the usage stream have charged: the account's balance, and in all the
key or the scope.
]]
local call, format = redis.call, string.format
local tag = ARGV[1]
local balances, keys, scopes = {}, {}, {}

local function add(sums, name, amount)
  if name then sums[name] = (sums[name] or 0) + amount end
end

for _, entry in ipairs(call('XRANGE', tag .. 'usage', '-', '+')) do
  local fields = entry[2]
  for at = 2, #fields, 4 do
    local record, charge = fields[at], fields[at + 2]
    local account, key = string.match(record, '"accountId":"([^"]+)"'), string.match(record, '"keyId":"([^"]+)"')
    local balance = tonumber(string.match(charge, '^%d+,(%d+)'))
    local all = balance
    for amount in string.gmatch(charge, ';[^,]+,%d+,(%d+)') do all = all + tonumber(amount) end
    add(balances, account, balance)
    add(keys, key, all)
    if account then
      local team, member = string.match(record, '"teamId":(%d+)'), string.match(record, '"memberId":(%d+)')
      add(scopes, account .. 'b', all)
      add(scopes, team and account .. 't' .. team, all)
      add(scopes, member and account .. 'm' .. member, all)
    end
  end
end

local lines = {}
for index = 2, #ARGV do
  local account = ARGV[index]
  local fields = call('HGETALL', tag .. 'a:' .. account)
  local line, key_parts
  key_parts = {}
  for at = 1, #fields, 2 do
    local field, packed = fields[at], fields[at + 1]
    if field == 'a' then
      local available, held, owed, sequence, in_flight = struct.unpack('<dddddd', packed)
      line = format('%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f', account, available, held, owed, sequence, in_flight, balances[account] or 0)
    elseif string.sub(field, 1, 2) == 'k:' then
      local key = string.sub(field, 3)
      local in_flight, held, spent = struct.unpack('<ddd', packed)
      key_parts[#key_parts + 1] = format(';%s,%.0f,%.0f,%.0f,%.0f', key, in_flight, held, spent, keys[key] or 0)
    elseif string.find(field, '^[btm]%d*$') then
      local in_flight, held, spent, day_end, day, month_end, month = struct.unpack('<ddddddd', packed)
      key_parts[#key_parts + 1] = format(';%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f', field, in_flight, held, spent,
        scopes[account .. field] or 0, day_end, day, month_end, month)
    end
  end
  if line then lines[#lines + 1] = line .. table.concat(key_parts) end
end
return table.concat(lines, '\n')
