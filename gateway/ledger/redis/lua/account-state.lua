--[[
The money of an account.
  head     "a"
  account  payer.lua
Returns "a<available>,<held>,<owed>,<creditSequence>,<inFlight>" or "N" not loaded.
]]
local function account_state(_, account_text)
  local account = find_account(account_text, { 'a' })
  if not account then return 'N' end
  return format('a%.0f,%.0f,%.0f,%.0f,%.0f', account.available, account.held, account.owed, account.sequence, account.in_flight)
end
