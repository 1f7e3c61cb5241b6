--[[
Who pays, as redis/commands/encode-payer.ts encodes it: the key of the account's hash
"{pNN}:a:<account>" (44 characters), its fields for the key "k:<key>" and the group "g:<group>" (38
each), and the limits if there are any:
  ,keyConcurrency,accountConcurrency,keyRpm,keyTpm,groupRpm,groupTpm,budgetTotal,budgetDay,
  budgetMonth,preference
  and for each subscription ;id,startedAt,endsAt,limit5h,limitDay,limitWeek,limitMonth
Then, for an account with members, budgets or a time zone, its calendar (calendar.lua) and scopes:
  |<offset>,<from>,<offset>… or | in UTC
  |b,budgetTotal,budgetDay,budgetMonth of the account
  |t<team>,budgetTotal,budgetDay,budgetMonth and |m<member>,budgetTotal,budgetDay,budgetMonth
A limit of -1 is none. Preference 0 uses subscriptions first, 1 the balance. An account without a
payer is the first 44 characters alone.
]]
-- The same text always means the same payer, so parsed payers are cached between batches. A key's
-- text changes with its terms. Few, because Lua's collector visits all of them in every cycle:
-- 2,000 made a hold 10 us slower, and parsing a payer takes 2.
local PAYERS_MAX = 128
local payers, payers_count = {}, 0
-- Fields of what a hold remembers of its scopes, by that text.
local held_fields = {}

local function fields_of_held(held)
  local fields = held_fields[held]
  if not fields then
    fields = {}
    for field in string.gmatch(held, '[^|]+') do fields[#fields + 1] = field end
    held_fields[held] = fields
  end
  return fields
end

local function read_subscription(text)
  local id, started, ends, five_hours, day, week, month = match(text, '^(.-),(%d+),(%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+)$')
  return {
    id = id, field = 's:' .. id, started = tonumber(started), ends = tonumber(ends),
    limits = { tonumber(five_hours), tonumber(day), tonumber(week), tonumber(month) },
  }
end

local function numbers_of(text)
  local values = {}
  for value in string.gmatch(text, '%-?%d+') do values[#values + 1] = tonumber(value) end
  return values
end

-- Numbers of HOLD_REFUSALS in ledger.ts. A hold checks budgets in the order of the text, and those
-- of the key last.
local SCOPE_REFUSALS, KEY_REFUSAL = { b = 5, t = 6, m = 7 }, 8

-- More than any budget and any spend together; whole, so that differences are exact.
local UNLIMITED = 9007199254740991

local function limit_of(budget)
  return budget < 0 and 2 * UNLIMITED or budget
end

-- A level of budgets: the row that counts, its limits, and the number of its refusal.
local function read_level(field, refusal, budgets)
  for period = 1, 3 do
    if budgets[period] >= 0 then
      return {
        field = field, refusal = refusal, budgets = budgets,
        total = limit_of(budgets[1]), day = limit_of(budgets[2]), month = limit_of(budgets[3]),
      }
    end
  end
end

-- `scopes` are the fields of all scopes, `levels` those with a budget, `held` the text that holds
-- keep of the latter.
local function read_scopes(payer, text)
  local scopes, held = { 'b' }, ''
  for part in string.gmatch(text, '|([^|]*)') do
    local field, letter, limits = match(part, '^(([btm])%d*),(.*)$')
    if not field then
      if part ~= '' then payer.calendar = numbers_of(part) end
    else
      if field ~= 'b' then scopes[#scopes + 1] = field end
      local level = read_level(field, SCOPE_REFUSALS[letter], numbers_of(limits))
      if level then
        held = held .. '|' .. field
        payer.levels[#payer.levels + 1] = level
        payer.fields[#payer.fields + 1] = field
      end
    end
  end
  payer.scopes = scopes
  if held ~= '' then payer.held = held end
end

local function read_limits(text)
  local subscriptions = {}
  local main = text
  local semicolon = find(text, ';', 1, true)
  if semicolon then
    main = sub(text, 1, semicolon - 1)
    for part in string.gmatch(sub(text, semicolon + 1), '[^;]+') do
      subscriptions[#subscriptions + 1] = read_subscription(part)
    end
  end
  local values = numbers_of(main)
  return {
    key_concurrency = values[1], account_concurrency = values[2],
    key_rpm = values[3], key_tpm = values[4], group_rpm = values[5], group_tpm = values[6],
    budgets = { values[7], values[8], values[9] },
    balance_first = values[10] == 1,
    subscriptions = subscriptions,
  }
end

local ACCOUNT_SCOPE = { 'b' }

-- `ids` is what a hold remembers of its payer: the account and the fields of key and group.
local function read_payer(text)
  local key_field = sub(text, 45, 82)
  local payer = {
    tag = sub(text, 1, 6), account = sub(text, 1, 44), key_field = key_field, ids = sub(text, 9, 120),
    fields = { 'a', key_field }, group_field = false, limits = false,
    calendar = nil, scopes = ACCOUNT_SCOPE, levels = {}, held = false,
  }
  local bar = find(text, '|', 121, true)
  local limits_end = bar and bar - 1 or #text
  if limits_end > 120 then
    local limits = read_limits(sub(text, 121, limits_end))
    payer.limits = limits
    if limits.group_rpm >= 0 or limits.group_tpm >= 0 then
      payer.group_field = sub(text, 83, 120)
      payer.fields[3] = payer.group_field
    end
    for _, subscription in ipairs(limits.subscriptions) do
      payer.fields[#payer.fields + 1] = subscription.field
    end
  end
  if bar then read_scopes(payer, sub(text, bar)) end
  if payer.limits then
    payer.levels[#payer.levels + 1] = read_level(key_field, KEY_REFUSAL, payer.limits.budgets)
  end
  if payers_count >= PAYERS_MAX then payers, payers_count, held_fields = {}, 0, {} end
  payers[text], payers_count = payer, payers_count + 1
  return payer
end
