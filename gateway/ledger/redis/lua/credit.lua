--[[
Applies a credit, each once and in order.
  head     "c<sequence>,<amount>"; the amount may be negative
  account  partition (2 digits) and account (36)
Answers "c<sequence>" credited, "e<sequence>" exists, "o<sequence>" out of order: the sequence is the last applied one, or
"n" not loaded.
A credit for an account that is not loaded leaves its sequence behind: a load that was read before the credit was
written, and is still on its way, would otherwise lose it (load.lua refuses such a load).
]]
local CREDIT_NOTE_MS = 600000

local function credit(head, account_text)
  local tag, account_id = '{p' .. sub(account_text, 1, 2) .. '}:', sub(account_text, 3, 38)
  local sequence, amount = match(head, '^(%d+),(%-?%d+)$', 2)
  sequence, amount = tonumber(sequence), tonumber(amount)
  local account = find_account(tag, account_id, { 'a' })
  if not account then
    local note = tag .. 'q:' .. account_id
    local noted = tonumber(call('GET', note) or '0')
    if sequence > noted then call('SET', note, format('%.0f', sequence), 'PX', CREDIT_NOTE_MS) end
    return 'n'
  end
  if sequence <= account.sequence then return format('e%.0f', account.sequence) end
  if sequence > account.sequence + 1 then return format('o%.0f', account.sequence) end
  if amount >= 0 then
    give(account, amount)
  else
    local taken = min(account.available, -amount)
    account.available = account.available - taken
    account.owed = account.owed - amount - taken
  end
  account.sequence = sequence
  account.dirty = true
  return format('c%.0f', sequence)
end
