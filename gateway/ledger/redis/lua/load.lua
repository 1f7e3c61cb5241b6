--[[
Loads an account, one of its keys, some of its subscriptions and of its scopes from Postgres.
Existing rows stay.
  head   "l<epoch>,<sequence>,<balance>"; a negative balance is owed
  rows   the account (payer.lua); unless it is in UTC, ";z" and its calendar (payer.lua); with scopes,
         ";@" and the newest entry of the usage stream that Postgres had; and any number of
           ";k<key 36>,<spentTotal>,<dayStart>,<spentDay>,<monthStart>,<spentMonth>"
           ";<scope>" and the same numbers; scopes are b, t<team> and m<member>
           ";s<subscription 36>,<startedAt>" and per window 5h, day, week, month ",<start>,<used>"
Returns "l" loaded, "p" the store has no epoch, "d<epoch>" the store is in that other epoch, "t"
stale: a later credit has been applied, or usage has been drained since, so Postgres must be read
again.

The epoch makes a load safe. Postgres lacks what is still in the usage stream, so its balance may
be loaded only into a store that has never had the account, and a store that has lost its data must
not pass for one.
]]
local SPENT = '(%d+),(%d+),(%d+),(%d+),(%d+)$'

-- Returns the end of the day, what was spent in it, and the same of the month.
local function present_periods(local_now, day_start, day, month_start, month)
  local today, day_end = day_bounds(local_now)
  local this_month, month_end = month_bounds(local_now)
  return day_end, tonumber(day_start) == today and tonumber(day) or 0,
    month_end, tonumber(month_start) == this_month and tonumber(month) or 0
end

local function loaded_key(row, sequence, context)
  local id, total, day_start, day, month_start, month = match(row, '^k(.-),' .. SPENT)
  local day_end, spent_day, month_end, spent_month = present_periods(context.local_now, day_start, day, month_start, month)
  return 'k:' .. id, pack(KEY, 0, 0, tonumber(total), day_end, spent_day, month_end, spent_month, 0, 0, 0, 0, sequence, 0)
end

-- Whether a record belongs to a scope.
local function is_of_scope(record, field, account_id)
  local letter, id = sub(field, 1, 1), sub(field, 2)
  if letter == 'b' then return find(record, '"accountId":"' .. account_id .. '"', 1, true) ~= nil end
  return match(record, letter == 't' and '"teamId":(%d+)' or '"memberId":(%d+)') == id
end

-- Returns the records that are not in Postgres yet: lists of fields, as the stream has them.
local function undrained_records(tag, entered)
  local lists = {}
  for _, entry in ipairs(call('XRANGE', tag .. 'usage', '(' .. entered, '+')) do lists[#lists + 1] = entry[2] end
  -- Settled earlier in this batch.
  lists[#lists + 1] = usage[tag]
  return lists
end

-- A scope has a row only from its first budget on. Until then its records were counted in Postgres
-- alone, so those on their way there are added.
local function loaded_scope(row, sequence, context)
  local field, total, day_start, day, month_start, month = match(row, '^([btm]%d*),' .. SPENT)
  local day_end, spent_day, month_end, spent_month = present_periods(context.local_now, day_start, day, month_start, month)
  local spent = tonumber(total)
  local _, first_day_end = day_bounds(context.local_now)
  local this_month = month_bounds(context.local_now)
  for _, fields in ipairs(undrained_records(context.tag, context.entered)) do
    for at = 1, #fields, 4 do
      if is_of_scope(fields[at + 1], field, context.account_id) then
        local settled, balance, list = match(fields[at + 3], '^(%d+),(%d+),%d+(.*)$')
        local amount = tonumber(balance)
        for part in string.gmatch(list, ';[^,]+,%d+,(%d+)') do amount = amount + tonumber(part) end
        local settled_local = local_time(context.calendar, tonumber(settled))
        spent = spent + amount
        if settled_local >= first_day_end - DAY_MS then spent_day = spent_day + amount end
        if settled_local >= this_month then spent_month = spent_month + amount end
      end
    end
  end
  return field, pack(SPEND, 0, 0, spent, day_end, spent_day, month_end, spent_month, sequence)
end

local function loaded_subscription(row, sequence)
  local id, rest = sub(row, 2, 37), sub(row, 38)
  local numbers = {}
  for number in string.gmatch(rest, '%d+') do numbers[#numbers + 1] = tonumber(number) end
  local counters = { numbers[1], 0 }
  for window = 1, 4 do
    local start, window_end = window_bounds(window, numbers[1], now)
    counters[1 + 2 * window] = window_end
    counters[2 + 2 * window] = numbers[2 * window] == start and numbers[1 + 2 * window] or 0
  end
  counters[11] = sequence
  return 's:' .. id, pack(SUBSCRIPTION, unpack(counters))
end

local LOADED = { k = loaded_key, s = loaded_subscription, b = loaded_scope, t = loaded_scope, m = loaded_scope }

local function is_newer(id, other)
  local ms, place = match(id, '^(%d+)%-(%d+)$')
  local other_ms, other_place = match(other, '^(%d+)%-(%d+)$')
  if ms ~= other_ms then return tonumber(ms) > tonumber(other_ms) end
  return tonumber(place) > tonumber(other_place)
end

-- What the rows of a load are computed with.
local function load_context(name, rows)
  local calendar = match(rows, ';z([%d,-]+)')
  calendar = calendar and numbers_of(calendar) or nil
  return {
    tag = sub(name, 1, 6), account_id = sub(name, 9, 44), calendar = calendar, local_now = local_time(calendar, now),
    entered = match(rows, ';@([%d-]+)'),
  }
end

local function load(head, rows)
  local epoch, sequence, balance = match(head, '^(%d+),(%d+),(%-?%d+)$', 2)
  sequence, balance = tonumber(sequence), tonumber(balance)
  local name = sub(rows, 1, 44)
  local current = call('GET', sub(name, 1, 6) .. 'epoch')
  if not current then return 'p' end
  if current ~= epoch then return 'd' .. current end
  local account = find_account(name, { 'a' })
  -- Rows from before an applied credit may lack usage that the credit has recovered.
  if account and sequence < account.sequence then return 't' end
  local context = load_context(name, rows)
  -- Entries between the two are neither in what was read nor in the stream.
  if context.entered and is_newer(call('GET', context.tag .. 'entered') or '0-0', context.entered) then return 't' end
  if not account then
    local note = note_of(name)
    if sequence < tonumber(call('GET', note) or '0') then return 't' end
    -- Not max(-balance, 0), which is minus zero for a balance of 0.
    local owed = balance < 0 and -balance or 0
    call('HSET', name, 'a', pack(MONEY, max(balance, 0), 0, owed, sequence, 0, tonumber(epoch)))
    call('DEL', note)
    -- From here on the sweeper visits the partition's buckets (expire.lua).
    call('SETNX', sub(name, 1, 6) .. 'swept', format('%.0f', first_hot_bucket()))
  end
  for row in string.gmatch(sub(rows, 45), '[^;]+') do
    local loaded = LOADED[sub(row, 1, 1)]
    if loaded then
      local field, packed = loaded(row, sequence, context)
      call('HSETNX', name, field, packed)
      -- An earlier call of this batch may have cached that the row is missing.
      if accounts[name] and not accounts[name].rows[field] then accounts[name].rows[field] = nil end
    end
  end
  if context.entered then
    account = find_account(name, { 'a' })
    account.scoped, account.dirty = true, true
  end
  return 'l'
end
