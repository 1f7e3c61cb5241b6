--[[
An account's hash and its copy in this batch. Each field is a packed row of numbers:
  a                 available, held, owed, creditSequence, inFlight, epoch in which it was loaded,
                    and 1 if there are rows of scopes
  k:<key>           inFlight, held, spentTotal, dayEnd, spentDay, monthEnd, spentMonth,
                    requestsLevel, requestsAt, tokensLevel, tokensAt, loadedSequence, tokensLimit
  b, t<team>, m<member>: the scopes of budgets that account, team and member have had
                    inFlight, held, spentTotal, dayEnd, spentDay, monthEnd, spentMonth, loadedSequence
  g:<group>         requestsLevel, requestsAt, tokensLevel, tokensAt, tokensLimit
  s:<subscription>  startedAt, held, then end and used of the windows 5h, day, week, month,
                    loadedSequence
Amounts are nanodollars, times ms of the store's clock. `…Level`, `…At` and `…Limit` are rate
counters (rates.lua). A period or window whose end has passed counts as unused: resets are
computed, never scheduled. `dayEnd` and `monthEnd` are local times (calendar.lua). `held` of an
account is the part of its holds that the balance pays, `held` of a key or a scope is all of its
holds. `loadedSequence` is the account's last credit when the row was
read from Postgres: usage that a later credit recovers is not in the row (credit.lua).
]]
local REQUESTS, TOKENS, GROUP_REQUESTS, GROUP_TOKENS, KEY_SEQUENCE = 8, 10, 1, 3, 12
local TOKENS_LIMIT, GROUP_TOKENS_LIMIT = 13, 5
local SPEND_SEQUENCE = 8
local MONEY, KEY, GROUP, SUBSCRIPTION = '<dddddd', '<ddddddddddddd', '<ddddd', '<ddddddddddd'
local SCOPED_MONEY, SPEND = '<ddddddd', '<dddddddd'
local MONEY_BYTES = 48
-- Rows written by older gateways lack the limit at the end.
local KEY_BYTES, GROUP_BYTES, NO_LIMIT = 104, 40, '\0\0\0\0\0\0\0\0'

-- Tables are built by one constructor: adding fields one by one makes Lua resize them repeatedly.

local function read_key(packed)
  if #packed < KEY_BYTES then packed = packed .. NO_LIMIT end
  return { kind = KEY, dirty = false, unpack_struct(KEY, packed) }
end

-- Starts the day and the month of a local time in the row of a key or a scope, unless it has them
-- or later ones.
local function renew(row, local_ms)
  if row[4] > local_ms then return end
  local _, day_end = day_bounds(local_ms)
  row[4], row[5] = day_end, 0
  if row[6] <= local_ms then
    local _, month_end = month_bounds(local_ms)
    row[6], row[7] = month_end, 0
  end
end

local function read_group(packed)
  if not packed then return { kind = GROUP, dirty = false, 0, 0, 0, 0, 0 } end
  if #packed < GROUP_BYTES then packed = packed .. NO_LIMIT end
  return { kind = GROUP, dirty = false, unpack_struct(GROUP, packed) }
end

local function read_subscription_counters(packed)
  local counters = { kind = SUBSCRIPTION, dirty = false, unpack_struct(SUBSCRIPTION, packed) }
  for window = 1, 4 do
    local at = 1 + 2 * window
    if counters[at] <= now then
      -- A window that started before the stored end continues: older gateways computed shorter
      -- months for some subscriptions (calendar.lua).
      local start, window_end = window_bounds(window, counters[1], now)
      if start >= counters[at] then counters[at + 1] = 0 end
      counters[at] = window_end
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
  if letter == 115 then return read_subscription_counters(packed) end -- s
  return { kind = SPEND, dirty = false, unpack_struct(SPEND, packed) }
end

local function read_account(name, packed)
  local available, held, owed, sequence, in_flight, epoch = unpack_struct(MONEY, packed)
  local account = {
    name = name, rows = {}, dirty = false,
    available = available, held = held, owed = owed, sequence = sequence, in_flight = in_flight, epoch = epoch,
    scoped = #packed > MONEY_BYTES,
  }
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

-- The account with the rows of `fields`, the first of which is 'a'. Nil when the account or one of
-- the rows is not loaded.
local function find_account(name, fields)
  local account = accounts[name]
  if account then
    for index = 2, #fields do
      if not find_row(account, fields[index]) then return nil end
    end
    return account
  end
  local packed
  if #fields == 2 then packed = call('HMGET', name, 'a', fields[2]) else packed = call('HMGET', name, unpack(fields)) end
  if not packed[1] then return nil end
  account = read_account(name, packed[1])
  local complete = true
  for index = 2, #fields do
    local field = fields[index]
    local row = read_field(field, packed[index])
    account.rows[field] = row
    complete = complete and row
  end
  return complete and account or nil
end

local function write_account(name, account)
  local money = pack(account.scoped and SCOPED_MONEY or MONEY, account.available, account.held, account.owed, account.sequence,
    account.in_flight, account.epoch, 1)
  local args, count = nil, 0
  local first_field, first_packed
  for field, row in pairs(account.rows) do
    if row and row.dirty then
      local packed = pack(row.kind, unpack(row))
      count = count + 1
      if count == 1 then
        first_field, first_packed = field, packed
      else
        args = args or { 'a', money, first_field, first_packed }
        args[2 * count + 1], args[2 * count + 2] = field, packed
      end
    end
  end
  if args then
    call('HSET', name, unpack(args))
  elseif count == 1 then
    call('HSET', name, 'a', money, first_field, first_packed)
  else
    call('HSET', name, 'a', money)
  end
end

local function write_accounts()
  for name, account in pairs(accounts) do
    if account.dirty then write_account(name, account) end
  end
end

-- Adds returned or new money. What is owed is paid first.
local function give(account, amount)
  local available = account.available + amount
  if account.owed > 0 then
    local paid = min(available, account.owed)
    account.owed = account.owed - paid
    available = available - paid
  end
  account.available = available
end
