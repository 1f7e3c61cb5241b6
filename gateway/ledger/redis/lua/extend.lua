--[[
Gives an open hold more time and, unless the amount is 0, more money.
  head   "e<request 36><extension>,<amount>,<minimum>,<ttlMs>"
  payer  payer.lua
Returns "x<held>" extended, "e<held>" exists (this extension or a later one was made before), "f"
hold not found, "c" request closed, "b<affordable>" insufficient balance, "k<number>,<affordable>"
a budget is exceeded, with the number of the hold's refusal (hold.lua), "N" not loaded. `held` is the
whole hold.
]]
local function extend(head, payer_text)
  local payer = payers[payer_text] or read_payer(payer_text)
  local id = sub(head, 2, 37)
  local extension, amount, minimum, ttl = match(head, '^(%d+),(%d+),(%d+),(%d+)$', 38)
  extension, amount, minimum = tonumber(extension), tonumber(amount), tonumber(minimum)
  local bucket = bucket_of(payer.tag, id)
  local state, value = request_state(payer.tag, id, bucket)
  if not state then return 'f' end
  if state ~= 'o' then return 'c' end
  local hold = read_hold(value)
  if hold.extension >= extension then return format('e%.0f', hold.total) end
  if amount > 0 then
    local account = find_account(payer.account, payer.fields)
    if not account then return 'N' end
    local key, limits = account.rows[payer.key_field], payer.limits
    local room, _, refusing = budget_room(account, payer, minimum)
    if refusing then return format('k%d,%.0f', refusing.refusal, room) end
    local allowed = min(room, amount)
    local balance, subscription, parts = split_amount(account, limits, allowed)
    if balance + subscription < minimum then return format('b%.0f', balance + subscription) end
    account.available = account.available - balance
    account.held = account.held + balance
    account.dirty = true
    key[2] = key[2] + balance + subscription
    key.dirty = true
    if parts then hold_parts(account, parts, 1) end
    if hold.scopes then hold_scopes(account, hold.scopes, 0, balance + subscription) end
    hold.balance = hold.balance + balance
    hold.parts = join_parts(hold.parts, parts)
    hold.total = hold.total + balance + subscription
  end
  -- The set may have a later expiry of this hold; the sweeper must not come later than the new
  -- one.
  if now + ttl < hold.expires_at then call('ZADD', payer.tag .. 'x', format('%.0f', now + ttl), id) end
  hold.extension, hold.expires_at = extension, now + ttl
  call('HSET', bucket, id, write_hold(hold))
  return format('x%.0f', hold.total)
end
