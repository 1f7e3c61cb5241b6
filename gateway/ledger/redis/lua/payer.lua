--[[
Who pays, as redis/encode-payer.ts packs it: partition (2 digits), account, key and group (36 characters each), and the
limits when there are any:
  ,keyConcurrency,accountConcurrency,keyRpm,keyTpm,groupRpm,groupTpm,budgetTotal,budgetDay,budgetMonth,preference
  and for each subscription ;id,startedAt,endsAt,limit5h,limitDay,limitWeek,limitMonth
A limit of -1 is none. Preference 0 uses subscriptions first, 1 the balance.
]]
local payers = {}

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

-- The same text means the same payer, so one batch reads it once.
local function read_payer(text)
  local payer = payers[text]
  if payer then return payer end
  local key_field = 'k:' .. sub(text, 39, 74)
  payer = {
    tag = '{p' .. sub(text, 1, 2) .. '}:',
    account_id = sub(text, 3, 38),
    ids = sub(text, 3, 110),
    key_field = key_field,
    fields = { 'a', key_field },
  }
  if #text > 110 then
    local limits = read_limits(sub(text, 111))
    payer.limits = limits
    if limits.group_rpm >= 0 or limits.group_tpm >= 0 then
      payer.group_field = 'g:' .. sub(text, 75, 110)
      payer.fields[#payer.fields + 1] = payer.group_field
    end
    for _, subscription in ipairs(limits.subscriptions) do
      payer.fields[#payer.fields + 1] = subscription.field
    end
  end
  payers[text] = payer
  return payer
end
