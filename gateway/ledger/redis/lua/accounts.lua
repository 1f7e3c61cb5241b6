--[[
An account's hash and its copy in this batch. Each field is a packed row of numbers:
  a                 available, held, owed, creditSequence, inFlight, epoch in which it was loaded
  k:<key>           inFlight, held, spentTotal, dayEnd, spentDay, monthEnd, spentMonth, requestsUntil, tokensUntil, loadedSequence
  g:<group>         requestsUntil, tokensUntil
  s:<subscription>  startedAt, held, then end and used of the windows 5h, day, week, month, loadedSequence
Amounts are nanodollars, times ms of the store's clock. `…Until` are rate counters (rates.lua). A period or window whose
end has passed counts as unused: resets are computed, never scheduled. `held` of an account is the part of its holds that
the balance pays, `held` of a key the whole of its holds. `loadedSequence` is the account's last credit when the row was read from
Postgres: recovered usage that a later credit brings is not in it yet (credit.lua).
]]
local MONEY, KEY, GROUP, SUBSCRIPTION = '<dddddd', '<dddddddddd', '<dd', '<ddddddddddd'

local accounts = {}

local function read_key(packed)
  local key = { kind = KEY }
  key[1], key[2], key[3], key[4], key[5], key[6], key[7], key[8], key[9], key[10] =
    unpack_struct(KEY, packed)
  if key[4] <= now then
    local _, day_end = day_bounds(now)
    key[4], key[5] = day_end, 0
    if key[6] <= now then
      local _, month_end = month_bounds(now)
      key[6], key[7] = month_end, 0
    end
  end
  return key
end

local function read_group(packed)
  local group = { kind = GROUP, 0, 0 }
  if packed then group[1], group[2] = unpack_struct(GROUP, packed) end
  return group
end

local function read_subscription_counters(packed)
  local counters = { kind = SUBSCRIPTION, unpack_struct(SUBSCRIPTION, packed) }
  for window = 1, 4 do
    local at = 1 + 2 * window
    if counters[at] <= now then
      local _, window_end = window_bounds(window, counters[1], now)
      counters[at], counters[at + 1] = window_end, 0
    end
  end
  return counters
end

-- A field of the account as a row of numbers; false when the store does not have it.
local function read_field(field, packed)
  local letter = byte(field)
  if letter == 103 then return read_group(packed) end -- g
  if not packed then return false end
  if letter == 107 then return read_key(packed) end -- k
  return read_subscription_counters(packed)
end

local function read_account(name, packed)
  local account = { name = name, rows = {} }
  account.available, account.held, account.owed, account.sequence, account.in_flight, account.epoch = unpack_struct(MONEY, packed)
  accounts[name] = account
  return account
end

-- One row of an account; false when the store does not have it.
local function find_row(account, field)
  local row = account.rows[field]
  if row == nil then
    row = read_field(field, call('HGET', account.name, field))
    account.rows[field] = row
  end
  return row
end

-- The account with the rows of `fields`, whose first is 'a'. Nothing when the account or one of the rows is not loaded.
local function find_account(tag, account_id, fields)
  local name = tag .. 'a:' .. account_id
  local account = accounts[name]
  if account == nil then
    local packed = call('HMGET', name, unpack(fields))
    if not packed[1] then return nil end
    account = read_account(name, packed[1])
    for index = 2, #fields do
      local field = fields[index]
      account.rows[field] = read_field(field, packed[index])
    end
  end
  for index = 2, #fields do
    if not find_row(account, fields[index]) then return nil end
  end
  return account
end

local function write_accounts()
  for name, account in pairs(accounts) do
    if account.dirty then
      local args = { 'a', pack(MONEY, account.available, account.held, account.owed, account.sequence, account.in_flight,
        account.epoch) }
      for field, row in pairs(account.rows) do
        if row and row.dirty then
          args[#args + 1] = field
          args[#args + 1] = pack(row.kind, unpack(row))
        end
      end
      call('HSET', name, unpack(args))
    end
  end
end

-- Money comes back or comes in: what is owed is paid first.
local function give(account, amount)
  local available = account.available + amount
  if account.owed > 0 then
    local paid = min(available, account.owed)
    account.owed = account.owed - paid
    available = available - paid
  end
  account.available = available
end
