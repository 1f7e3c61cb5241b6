--[[
Closes a hold and charges nothing.
  head     "r<request 36>"
  account  payer.lua
Returns "r" released, "e" exists: released before, "f" hold not found, "c" request closed: it was
settled. An unknown request is remembered as released: a hold that arrives later finds it closed.
]]
local function release(head, account_text)
  local tag = sub(account_text, 1, 6)
  local id = sub(head, 2, 37)
  local bucket = bucket_of(tag, id)
  local state, value = request_state(tag, id, bucket)
  if state == 'r' then return 'e' end
  if state and state ~= 'o' and state ~= 'x' then return 'c' end
  local hold = state == 'o' and read_hold(value)
  if hold and account_of_hold(tag, hold) ~= account_text then error('released for another account') end
  close_request(tag, id, bucket, 'r')
  if not hold then return state and 'r' or 'f' end
  local account = find_account(account_text, fields_of_hold(hold))
  -- Without the account there is nothing to return: it will be loaded as if the hold had never
  -- been.
  if account then
    return_hold(account, hold, 0)
    give(account, hold.balance)
  end
  return 'r'
end
