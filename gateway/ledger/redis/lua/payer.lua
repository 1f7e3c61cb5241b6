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
-- 2,000 cost a request 17 us more, and reading a payer takes 4, one with four levels of budgets 20.
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
  local limit = tonumber(budget)
  return limit < 0 and 2 * UNLIMITED or limit
end

-- A level of budgets: the row that counts, the number of its refusal, and its limits in total, per
-- day and per month. Nil when it has none.
local function read_level(field, refusal, total, day, month)
  if total == '-1' and day == '-1' and month == '-1' then return nil end
  return { field = field, refusal = refusal, limit_of(total), limit_of(day), limit_of(month) }
end

-- One pattern reads a whole part of the text, which takes less time than a loop over its numbers.
-- The last capture is where the next part begins.
local LIMITS = '^,(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+)()'
local SUBSCRIPTION_TERMS = '^;([^,]+),(%d+),(%d+),(%-?%d+),(%-?%d+),(%-?%d+),(%-?%d+)()'
local SCOPE = '^|(([btm])%d*),(%-?%d+),(%-?%d+),(%-?%d+)()'

-- The subscriptions from a place in the text on, and where they end.
local function read_subscriptions(text, at)
  local subscriptions = {}
  while true do
    local id, started, ends, five_hours, day, week, month, next_at = match(text, SUBSCRIPTION_TERMS, at)
    if not id then return subscriptions, at end
    subscriptions[#subscriptions + 1] = {
      id = id, field = 's:' .. id, started = tonumber(started), ends = tonumber(ends),
      limits = { tonumber(five_hours), tonumber(day), tonumber(week), tonumber(month) },
    }
    at = next_at
  end
end

-- Sets the payer's limits, and answers the budgets of its key, if any, and where the limits end.
local function read_limits(payer, text, at)
  local key_concurrency, account_concurrency, key_rpm, key_tpm, group_rpm, group_tpm, total, day, month, preference, next_at =
    match(text, LIMITS, at)
  if not key_concurrency then return nil, at end
  local subscriptions
  subscriptions, next_at = read_subscriptions(text, next_at)
  local limits = {
    key_concurrency = tonumber(key_concurrency), account_concurrency = tonumber(account_concurrency),
    key_rpm = tonumber(key_rpm), key_tpm = tonumber(key_tpm), group_rpm = tonumber(group_rpm), group_tpm = tonumber(group_tpm),
    balance_first = preference == '1', subscriptions = subscriptions,
  }
  payer.limits = limits
  if limits.group_rpm >= 0 or limits.group_tpm >= 0 then
    payer.group_field = sub(text, 83, 120)
    payer.fields[3] = payer.group_field
  end
  for index = 1, #subscriptions do payer.fields[#payer.fields + 1] = subscriptions[index].field end
  return read_level(payer.key_field, KEY_REFUSAL, total, day, month), next_at
end

-- `scopes` are the fields of all scopes, `levels` those with a budget, `held` the text that holds
-- keep of the latter.
local function read_scopes(payer, text, at)
  local calendar
  calendar, at = match(text, '^|([%d,-]*)()', at)
  if not calendar then return end
  if calendar ~= '' then payer.calendar = numbers_of(calendar) end
  local scopes, held = { 'b' }, ''
  while true do
    local field, letter, total, day, month, next_at = match(text, SCOPE, at)
    if not field then break end
    if letter ~= 'b' then scopes[#scopes + 1] = field end
    local level = read_level(field, SCOPE_REFUSALS[letter], total, day, month)
    if level then
      held = held .. '|' .. field
      payer.levels[#payer.levels + 1] = level
      payer.fields[#payer.fields + 1] = field
    end
    at = next_at
  end
  payer.scopes = scopes
  if held ~= '' then payer.held = held end
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
  local key_level, at = read_limits(payer, text, 121)
  read_scopes(payer, text, at)
  payer.levels[#payer.levels + 1] = key_level
  if payers_count >= PAYERS_MAX then payers, payers_count, held_fields = {}, 0, {} end
  payers[text], payers_count = payer, payers_count + 1
  return payer
end
