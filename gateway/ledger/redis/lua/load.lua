--[[
Loads an account, one of its keys and some of its subscriptions from Postgres. Existing rows stay.
  head   "l<epoch>,<sequence>,<balance>"; a negative balance is owed
  rows   the account (payer.lua) and any number of
           ";k<key 36>,<spentTotal>,<dayStart>,<spentDay>,<monthStart>,<spentMonth>"
           ";s<subscription 36>,<startedAt>" and per window 5h, day, week, month ",<start>,<used>"
Returns "l" loaded, "p" the store has no epoch, "d<epoch>" the store is in that other epoch, "t"
stale: a later credit has been applied, so Postgres must be read again.

The epoch makes a load safe. Postgres lacks what is still in the usage stream, so its balance may
be loaded only into a store that has never had the account, and a store that has lost its data must
not pass for one.
]]
local function loaded_key(row, sequence)
  local id, total, day_start, day, month_start, month = match(row, '^k(.-),(%d+),(%d+),(%d+),(%d+),(%d+)$')
  local today, day_end = day_bounds(now)
  local this_month, month_end = month_bounds(now)
  return 'k:' .. id, pack(KEY, 0, 0, tonumber(total),
    day_end, tonumber(day_start) == today and tonumber(day) or 0,
    month_end, tonumber(month_start) == this_month and tonumber(month) or 0, 0, 0, 0, 0, sequence, 0)
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
    local field, packed = (byte(row) == 107 and loaded_key or loaded_subscription)(row, sequence)
    call('HSETNX', name, field, packed)
    -- An earlier call of this batch may have cached that the row is missing.
    if accounts[name] and not accounts[name].rows[field] then accounts[name].rows[field] = nil end
  end
  return 'l'
end
