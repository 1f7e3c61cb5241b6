--[[
Opens a hold.
  head   "h<request 36><amount>,<minimum>,<tokens>,<ttlMs>"
  payer  payer.lua
Returns "h" held in full, "h<held>" held in part, "e<held>" exists, "N" not loaded, or the refusal
"R<number>,<retryAfterMs>,<affordable>". The number is the index in HOLD_REFUSALS of ledger.ts;
retryAfterMs -1 means never. The status of account and key (2 to 4) is decided before the call; 5 to
8 are the levels of budgets (payer.lua). A repeated id is recognised before any refusal: by HSETNX when the hold would be made, by reading
when it would be refused.
]]
local REQUEST_CONFLICT, REQUEST_CLOSED, KEY_CONCURRENCY, ACCOUNT_CONCURRENCY = 0, 1, 9, 10
local KEY_RPM, KEY_TPM, GROUP_RPM, GROUP_TPM, INSUFFICIENT = 11, 12, 13, 14, 15
-- It is unknown when a request ends; one second keeps clients from retrying in a loop.
local CONCURRENCY_RETRY_MS = 1000

local function refusal(number, wait, affordable)
  return format('R%d,%.0f,%.0f', number, wait, affordable)
end

local function known_request(state, value, wanted)
  if state ~= 'o' then return refusal(REQUEST_CLOSED, -1, 0) end
  local hold = read_hold(value)
  if hold.amount == wanted.amount and hold.minimum == wanted.minimum and hold.tokens == wanted.tokens and hold.ids == wanted.ids then
    return format('e%.0f', hold.total)
  end
  return refusal(REQUEST_CONFLICT, -1, 0)
end

-- Checks rates in the documented order. New levels go to `wanted`; they are kept only when the
-- hold is made.
local function rate_refusal(limits, key, group, wanted)
  local wait
  if limits.key_rpm >= 0 then
    wanted.key_requests, wait = take_rate(key, REQUESTS, 1, limits.key_rpm)
    if not wanted.key_requests then return refusal(KEY_RPM, wait, 0) end
  end
  if limits.key_tpm >= 0 then
    wanted.key_tokens, wait = take_rate(key, TOKENS, wanted.tokens, limits.key_tpm)
    if not wanted.key_tokens then return refusal(KEY_TPM, wait, 0) end
  end
  if limits.group_rpm >= 0 then
    wanted.group_requests, wait = take_rate(group, GROUP_REQUESTS, 1, limits.group_rpm)
    if not wanted.group_requests then return refusal(GROUP_RPM, wait, 0) end
  end
  if limits.group_tpm >= 0 then
    wanted.group_tokens, wait = take_rate(group, GROUP_TOKENS, wanted.tokens, limits.group_tpm)
    if not wanted.group_tokens then return refusal(GROUP_TPM, wait, 0) end
  end
end

-- The refusal by a limit, if any; otherwise the amount that the budgets allow.
local function limit_refusal(account, payer, key, group, wanted)
  local room, wait, refusing = budget_room(account, payer, wanted.minimum)
  if refusing then return refusal(refusing.refusal, wait, room) end
  local limits = payer.limits
  if not limits then return nil, min(room, wanted.amount) end
  if limits.key_concurrency >= 0 and key[1] >= limits.key_concurrency then
    return refusal(KEY_CONCURRENCY, CONCURRENCY_RETRY_MS, 0)
  end
  if limits.account_concurrency >= 0 and account.in_flight >= limits.account_concurrency then
    return refusal(ACCOUNT_CONCURRENCY, CONCURRENCY_RETRY_MS, 0)
  end
  local refused = rate_refusal(limits, key, group, wanted)
  return refused, min(room, wanted.amount)
end

local function keep_rates(key, group, wanted)
  if wanted.key_requests then set_level(key, REQUESTS, wanted.key_requests) end
  if wanted.key_tokens then set_level(key, TOKENS, wanted.key_tokens, wanted.key_tpm) end
  if wanted.group_requests then set_level(group, GROUP_REQUESTS, wanted.group_requests) end
  if wanted.group_tokens then set_level(group, GROUP_TOKENS, wanted.group_tokens, wanted.group_tpm) end
end

local function hold(head, payer_text)
  local payer = payers[payer_text] or read_payer(payer_text)
  local id = sub(head, 2, 37)
  local amount, minimum, tokens, ttl = match(head, '^(%d+),(%d+),(%d+),(%d+)$', 38)
  ttl = tonumber(ttl)
  local account = find_account(payer.account, payer.fields)
  if not account then return 'N' end
  local key, limits = account.rows[payer.key_field], payer.limits
  local wanted = {
    amount = tonumber(amount), minimum = tonumber(minimum), tokens = tonumber(tokens), ids = payer.ids,
    expires_at = now + ttl, balance = 0, extension = 0, parts = false, scopes = payer.held,
    key_tpm = limits and max(0, limits.key_tpm) or 0, group_tpm = limits and max(0, limits.group_tpm) or 0,
  }
  local bucket = bucket_of(payer.tag, id)
  local cold = sub(id, 1, 8) < hot_page
  if cold then
    local state, value = request_state(payer.tag, id, bucket)
    if state then return known_request(state, value, wanted) end
  end
  local group = payer.group_field and account.rows[payer.group_field]
  local refused, allowed
  if limits or payer.held then
    refused, allowed = limit_refusal(account, payer, key, group, wanted)
  else
    allowed = wanted.amount
  end
  local balance, subscription, parts = 0, 0, nil
  if not refused then
    balance, subscription, parts = split_amount(account, limits, allowed)
    if balance + subscription < wanted.minimum then
      local wait = limits and allowance_wait(account, limits, wanted.minimum - account.available) or -1
      refused = refusal(INSUFFICIENT, wait, balance + subscription)
    end
  end
  if refused then
    local state, value = request_state(payer.tag, id, bucket)
    if state then return known_request(state, value, wanted) end
    return refused
  end
  wanted.balance, wanted.parts = balance, parts or false
  if call('HSETNX', bucket, id, write_hold(wanted)) == 0 then
    local state, value = request_state(payer.tag, id, bucket)
    return known_request(state, value, wanted)
  end
  -- The sweeper visits a bucket when it becomes cold. What may expire earlier, or arrives later,
  -- is added to its set.
  if cold or ttl < HOT_MS then
    call('ZADD', payer.tag .. 'x', format('%.0f', wanted.expires_at), id)
    if cold then keep_bucket(bucket, id) end
  end
  local total = balance + subscription
  account.available = account.available - balance
  account.held = account.held + balance
  account.in_flight = account.in_flight + 1
  account.dirty = true
  key[1] = key[1] + 1
  key[2] = key[2] + total
  key.dirty = true
  if parts then hold_parts(account, parts, 1) end
  if payer.held then
    hold_scopes(account, payer.held, 1, total)
    -- A gateway of the former version writes the account without it.
    account.scoped = true
  end
  if limits then keep_rates(key, group, wanted) end
  return total == wanted.amount and 'h' or format('h%.0f', total)
end
