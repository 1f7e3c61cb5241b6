--[[
Who pays, as redis/commands/encode-payer.ts encodes it: the key of the account's hash
"{pNN}:a:<account>" (44 characters), its fields for the key "k:<key>" and the group "g:<group>" (38
each), and the limits if there are any:
  ,keyConcurrency,accountConcurrency,keyRpm,keyTpm,groupRpm,groupTpm,budgetTotal,budgetDay,
  budgetMonth,preference
  and for each subscription ;id,startedAt,endsAt,limit5h,limitDay,limitWeek,limitMonth
A limit of -1 is none. Preference 0 uses subscriptions first, 1 the balance. An account without a
payer is the first 44 characters alone.
]]
-- The same text always means the same payer, so parsed payers are cached between batches. A key's
-- text changes with its terms. Few, because Lua's collector visits all of them in every cycle:
-- 2,000 made a hold 10 us slower, and parsing a payer takes 2.
local PAYERS_MAX = 128
local payers, payers_count = {}, 0

local function read_subscription(text)
  local id, started, ends, five_hours, day, week, month = match(text, '^(.-),(%d+),(%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+)$')
  return {
    id = id, field = 's:' .. id, started = tonumber(started), ends = tonumber(ends),
    limits = { tonumber(five_hours), tonumber(day), tonumber(week), tonumber(month) },
  }
end

local function read_limits(text)
  local values, subscriptions = {}, {}
  local main = text
  local semicolon = find(text, ';', 1, true)
  if semicolon then
    main = sub(text, 1, semicolon - 1)
    for part in string.gmatch(sub(text, semicolon + 1), '[^;]+') do
      subscriptions[#subscriptions + 1] = read_subscription(part)
    end
  end
  for value in string.gmatch(main, '%-?%d+') do values[#values + 1] = tonumber(value) end
  return {
    key_concurrency = values[1], account_concurrency = values[2],
    key_rpm = values[3], key_tpm = values[4], group_rpm = values[5], group_tpm = values[6],
    budget_total = values[7], budget_day = values[8], budget_month = values[9],
    balance_first = values[10] == 1,
    subscriptions = subscriptions,
  }
end

-- `ids` is what a hold remembers of its payer: the account and the fields of key and group.
local function read_payer(text)
  local key_field = sub(text, 45, 82)
  local payer = {
    tag = sub(text, 1, 6), account = sub(text, 1, 44), key_field = key_field, ids = sub(text, 9, 120),
    fields = { 'a', key_field }, group_field = false, limits = false,
  }
  if #text > 120 then
    local limits = read_limits(sub(text, 121))
    payer.limits = limits
    if limits.group_rpm >= 0 or limits.group_tpm >= 0 then
      payer.group_field = sub(text, 83, 120)
      payer.fields[3] = payer.group_field
    end
    for _, subscription in ipairs(limits.subscriptions) do
      payer.fields[#payer.fields + 1] = subscription.field
    end
  end
  if payers_count >= PAYERS_MAX then payers, payers_count = {}, 0 end
  payers[text], payers_count = payer, payers_count + 1
  return payer
end
