--[[
Applies credits, each once and in order.
  head     "c<sequence>,<amount>,<hold 36>"; the amount may be negative; the hold, if any, has kept
           the money and is released in the same step
  account  payer.lua and, when the credit charges recovered usage, ";<key>,<settledAt>,<spent>",
           ";<id>,<startedAt>,<amount>" for each subscription, then "|<localSettledAt>" and
           "|<field>" for each scope of the usage
Returns "c<sequence>" credited, "e<sequence>" exists, "o<sequence>" out of order, or "n" not
loaded. The sequence is the last one applied. A credit for an account that is not loaded leaves its
sequence in the store. A load that was read before the credit was written would lose the credit
otherwise (load.lua refuses such a load).
]]
local CREDIT_NOTE_MS = 600000

-- The key with the sequence of a credit for an account that is not loaded.
local function note_of(name)
  return sub(name, 1, 6) .. 'q:' .. sub(name, 9)
end

-- `row` is that of a key or a scope.
local function count_row(row, row_sequence, sequence, settled_local, spent)
  if not row or row_sequence >= sequence then return end
  renew(row, settled_local)
  row[3] = row[3] + spent
  local _, day_end = day_bounds(settled_local)
  if day_end == row[4] then row[5] = row[5] + spent end
  local _, month_end = month_bounds(settled_local)
  if month_end == row[6] then row[7] = row[7] + spent end
  row.dirty = true
end

local function count_subscription(account, sequence, id, started, settled, amount)
  local counters = find_row(account, 's:' .. id)
  if not counters or counters[11] >= sequence then return end
  for window = 1, 4 do
    local _, window_end = window_bounds(window, started, settled)
    local at = 1 + 2 * window
    if window_end == counters[at] then counters[at + 1] = counters[at + 1] + amount end
  end
  counters.dirty = true
end

-- Lost usage is counted once: by the load of the key, the scope or the subscription, or here.
local function count_recovered(account, sequence, text)
  local settled_local, scopes = match(text, '|(%-?%d+)(.*)$')
  settled_local = tonumber(settled_local)
  local settled
  for id, second, third in string.gmatch(text, ';([^,]+),(%d+),(%d+)') do
    if not settled then
      settled = tonumber(second)
      local key, spent = find_row(account, 'k:' .. id), tonumber(third)
      count_row(key, key and key[KEY_SEQUENCE], sequence, settled_local, spent)
      for field in string.gmatch(scopes, '[^|]+') do
        local row = account.scoped and find_row(account, field)
        count_row(row, row and row[SPEND_SEQUENCE], sequence, settled_local, spent)
      end
    else
      count_subscription(account, sequence, id, tonumber(second), settled, tonumber(third))
    end
  end
end

local function credit(head, account_text)
  local name = sub(account_text, 1, 44)
  local sequence, amount, hold_id = match(head, '^(%d+),(%-?%d+),(.*)$', 2)
  sequence, amount = tonumber(sequence), tonumber(amount)
  local account = find_account(name, { 'a' })
  if not account then
    local note = note_of(name)
    local noted = tonumber(call('GET', note) or '0')
    if sequence > noted then call('SET', note, format('%.0f', sequence), 'PX', CREDIT_NOTE_MS) end
    return 'n'
  end
  if sequence <= account.sequence then return format('e%.0f', account.sequence) end
  if sequence > account.sequence + 1 then return format('o%.0f', account.sequence) end
  if hold_id ~= '' then release('r' .. hold_id, name) end
  if amount >= 0 then
    give(account, amount)
  else
    local taken = min(account.available, -amount)
    account.available = account.available - taken
    account.owed = account.owed - amount - taken
  end
  if #account_text > 44 then count_recovered(account, sequence, sub(account_text, 45)) end
  account.sequence = sequence
  account.dirty = true
  return format('c%.0f', sequence)
end
