--[[
What an account has.
  head     "a"
  account  partition (2 digits) and account (36)
Answers "a<available>,<held>,<owed>,<creditSequence>,<inFlight>" or "N".
]]
local function account_state(_, account_text)
  local account = find_account('{p' .. sub(account_text, 1, 2) .. '}:', sub(account_text, 3, 38), { 'a' })
  if not account then return 'N' end
  return format('a%.0f,%.0f,%.0f,%.0f,%.0f', account.available, account.held, account.owed, account.sequence, account.in_flight)
end
