--[[
Closes a hold, charges the actual cost and appends the usage record.
  head    "s<request 36><actual>,<tokens>,<epoch>"; the epoch in which the caller believes the store
  payer   payer.lua
  record  the usage record, JSON
Returns "s<epoch>" settled, all from the balance; "S<epoch>,<charge>" settled; "l<epoch>,<charge>"
settled late, the hold had expired or was lost; "e<epoch>,<charge>" exists, or "e<epoch>s" when all
was from the balance and "e<epoch>u" when all was from subscriptions; "c" the request was released
before; "d<epoch>" not applied, the store is in that other epoch; "N" not loaded. <charge> is
"<balance>,<subscription>,<uncollected>" and, for each subscription, ";<id>,<startedAt>,<amount>".

A settle is applied in the epoch that it names only. A repeated settle that reaches a store which
has lost its data must not charge again what Postgres, from which that store was loaded, may
contain.

The stream has two fields per record: `r` the record, `c` "<settledAtMs>,<balance>,<uncollected>"
and the same list of subscriptions. All records that a batch settles in a partition are one stream
entry. {pNN}:joined counts the records beyond one per entry, so the backlog is known without
reading the stream, and an entry with a single record costs no further write.
]]
local function append_usage(tag, record, charge)
  local fields = usage[tag]
  if not fields then
    usage[tag] = { 'r', record, 'c', charge }
    return
  end
  local at = #fields
  fields[at + 1], fields[at + 2], fields[at + 3], fields[at + 4] = 'r', record, 'c', charge
end

-- Appends what the batch has settled; returns the time of the newest entry, ms, 0 when there is
-- none.
local function write_usage()
  local newest = 0
  for tag, fields in pairs(usage) do
    local id = call('XADD', tag .. 'usage', '*', unpack(fields))
    if #fields > 4 then call('INCRBY', tag .. 'joined', #fields / 4 - 1) end
    newest = max(newest, tonumber(match(id, '^%d+')))
  end
  return newest
end

-- Takes from what was held, in the account's order; returns the part of the balance and the
-- subscriptions' parts.
local function charge_held(hold, limits, actual)
  local parts, balance, subscription = nil, 0, 0
  local balance_first = limits and limits.balance_first
  if balance_first then balance = min(hold.balance, actual) end
  for _, part in ipairs(hold.parts) do
    local amount = min(part.amount, actual - balance - subscription)
    if amount > 0 then
      parts = parts or {}
      parts[#parts + 1] = { id = part.id, started = part.started, amount = amount }
      subscription = subscription + amount
    end
  end
  if not balance_first then balance = min(hold.balance, actual - subscription) end
  return balance, subscription, parts
end

local function use_parts(account, parts)
  for _, part in ipairs(parts) do
    local counters = account.rows['s:' .. part.id]
    for window = 1, 4 do
      local at = 2 + 2 * window
      counters[at] = counters[at] + part.amount
    end
    counters.dirty = true
  end
end

-- Replaces the tokens of the hold by those really used. What has drained since is not restored.
local function correct_tokens(account, hold, key, tokens)
  local difference = (tokens - hold.tokens) * MINUTE_MS
  if hold.key_tpm > 0 then
    set_level(key, TOKENS, max(0, level_of(key, TOKENS, hold.key_tpm) + difference), hold.key_tpm)
  end
  if hold.group_tpm > 0 then
    local group = account.rows[group_field_of_hold(hold)]
    set_level(group, GROUP_TOKENS, max(0, level_of(group, GROUP_TOKENS, hold.group_tpm) + difference), hold.group_tpm)
  end
end

-- Returns everything that a hold has taken: money, the place in flight, unused tokens.
local function return_hold(account, hold, tokens)
  local key = account.rows[key_field_of_hold(hold)]
  account.held = account.held - hold.balance
  account.in_flight = account.in_flight - 1
  account.dirty = true
  key[1] = key[1] - 1
  key[2] = key[2] - hold.total
  key.dirty = true
  if hold.parts then hold_parts(account, hold.parts, -1) end
  if hold.scopes then hold_scopes(account, hold.scopes, -1, -hold.total) end
  if tokens then correct_tokens(account, hold, key, tokens) end
end

local function parts_text(parts)
  local text = ''
  for _, part in ipairs(parts or {}) do
    text = text .. format(';%s,%.0f,%.0f', part.id, part.started, part.amount)
  end
  return text
end

local function count_spend(row, local_now, amount)
  if row[4] <= local_now then renew(row, local_now) end
  row[3], row[5], row[7] = row[3] + amount, row[5] + amount, row[7] + amount
  row.dirty = true
end

-- Decides who pays `actual` and counts it. The hold, if any, was returned except for its balance.
local function charge(account, payer, hold, actual)
  local balance, subscription, parts = 0, 0, nil
  if hold then
    if hold.parts then
      balance, subscription, parts = charge_held(hold, payer.limits, actual)
    else
      balance = min(hold.balance, actual)
    end
    if hold.balance > balance then give(account, hold.balance - balance) end
  end
  if parts then use_parts(account, parts) end
  local missing = actual - balance - subscription
  if missing > 0 then
    local more_balance, more_subscription, more_parts = split_amount(account, payer.limits, missing)
    account.available = account.available - more_balance
    balance, subscription = balance + more_balance, subscription + more_subscription
    if more_parts then
      use_parts(account, more_parts)
      parts = join_parts(parts, more_parts)
    end
  end
  account.dirty = true
  local local_now, charged = local_time(payer.calendar, now), balance + subscription
  count_spend(account.rows[payer.key_field], local_now, charged)
  -- Every scope that has a row, also one that had no budget when the request began: the row must
  -- count all records of the scope.
  account.scoped = account.scoped or payer.held ~= false
  if account.scoped then
    for _, field in ipairs(payer.scopes) do
      local row = find_row(account, field)
      if row then count_spend(row, local_now, charged) end
    end
  end
  return balance, subscription, parts
end

local function closed_settle(tag, state, value)
  if state == 'r' then return 'c' end
  local epoch = call('GET', tag .. 'epoch') or '0'
  if state == 'm' then return 'e' .. epoch .. ',' .. sub(value, 2) end
  return 'e' .. epoch .. state
end

local function fields_for_settle(payer, hold)
  if not hold or (not hold.parts and hold.group_tpm == 0 and hold.scopes == payer.held) then return payer.fields end
  local fields, seen = {}, {}
  for _, list in ipairs({ payer.fields, fields_of_hold(hold) }) do
    for _, field in ipairs(list) do
      if not seen[field] then
        seen[field] = true
        fields[#fields + 1] = field
      end
    end
  end
  return fields
end

local function settle(head, payer_text, record)
  local payer = payers[payer_text] or read_payer(payer_text)
  local id = sub(head, 2, 37)
  local actual_text, tokens, epoch = match(head, '^(%d+),(%d+),(%d+)$', 38)
  local actual = tonumber(actual_text)
  local bucket = bucket_of(payer.tag, id)
  local state, value = request_state(payer.tag, id, bucket)
  local held
  if state == 'o' then
    held = read_hold(value)
    if sub(held.ids, 1, 74) ~= sub(payer.ids, 1, 74) then error('settled for another account or key') end
  elseif state and state ~= 'x' then
    return closed_settle(payer.tag, state, value)
  end
  local account = find_account(payer.account, fields_for_settle(payer, held))
  if not account then return 'N' end
  if account.epoch ~= tonumber(epoch) then return format('d%.0f', account.epoch) end
  -- The request is closed first: if that write is refused, nothing was counted.
  local plain = held and not held.parts and held.balance >= actual
  if plain then close_request(payer.tag, id, bucket, 's') end
  if held then return_hold(account, held, tonumber(tokens)) end
  local balance, subscription, parts = charge(account, payer, held, actual)
  local uncollected = actual - balance - subscription
  if balance == actual then
    if not plain then close_request(payer.tag, id, bucket, 's') end
    append_usage(payer.tag, record, now_text .. ',' .. actual_text .. ',0')
    if held then return 's' .. epoch end
    return 'l' .. epoch .. ',' .. actual_text .. ',0,0'
  end
  local numbers = format('%.0f,%.0f,%.0f', balance, subscription, uncollected)
  close_request(payer.tag, id, bucket, subscription == actual and 'u' or 'm' .. numbers)
  local list = parts_text(parts)
  append_usage(payer.tag, record, format('%s,%.0f,%.0f', now_text, balance, uncollected) .. list)
  return (held and 'S' or 'l') .. epoch .. ',' .. numbers .. list
end
