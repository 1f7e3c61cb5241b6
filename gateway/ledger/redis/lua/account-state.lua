--[[
What an account has.
  head     "a"
  account  payer.lua
Answers "a<available>,<held>,<owed>,<creditSequence>,<inFlight>" or "N".
]]
local function account_state(_, account_text)
  local account = find_account(account_text, { 'a' })
  if not account then return 'N' end
  return format('a%.0f,%.0f,%.0f,%.0f,%.0f', account.available, account.held, account.owed, account.sequence, account.in_flight)
end
