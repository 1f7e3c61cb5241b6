-- Which money pays: the balance and subscriptions with headroom in all windows, in the order that
-- the account prefers.

-- What a subscription can still pay: the minimum over its limited windows. Without allowances it
-- pays nothing.
local function headroom(subscription, counters)
  if now >= subscription.ends or now < subscription.started then return 0 end
  local room = -1
  for window = 1, 4 do
    local limit = subscription.limits[window]
    if limit >= 0 then
      local left = limit - counters[2 + 2 * window] - counters[2]
      if room < 0 or left < room then room = max(0, left) end
    end
  end
  return max(0, room)
end

-- Takes up to `amount` from the subscriptions; returns the sum and adds it to `parts`, by
-- subscription.
local function draw_subscriptions(account, subscriptions, amount, parts)
  local given = 0
  for _, subscription in ipairs(subscriptions) do
    if given >= amount then break end
    local room = headroom(subscription, account.rows[subscription.field])
    if room > 0 then
      local part = min(room, amount - given)
      given = given + part
      parts[#parts + 1] = { id = subscription.id, started = subscription.started, amount = part }
    end
  end
  return given
end

-- Splits `amount`: returns the part of the balance, the part of subscriptions, and the latter by
-- subscription.
local function split_amount(account, limits, amount)
  local subscriptions = limits and limits.subscriptions
  if not subscriptions or #subscriptions == 0 then return min(amount, account.available), 0, nil end
  local parts = {}
  local balance, subscription
  if limits.balance_first then
    balance = min(amount, account.available)
    subscription = draw_subscriptions(account, subscriptions, amount - balance, parts)
  else
    subscription = draw_subscriptions(account, subscriptions, amount, parts)
    balance = min(amount - subscription, account.available)
  end
  if #parts == 0 then parts = nil end
  return balance, subscription, parts
end

-- Counts parts as held (sign 1) or as returned (sign -1; the caller returns the balance by
-- `give`).
local function hold_parts(account, parts, sign)
  for _, part in ipairs(parts) do
    local counters = account.rows['s:' .. part.id]
    counters[2] = counters[2] + sign * part.amount
    counters.dirty = true
  end
end

-- Adds the amounts of `more` to `parts` by subscription.
local function join_parts(parts, more)
  if not parts then return more or false end
  for _, part in ipairs(more or {}) do
    local known
    for _, other in ipairs(parts) do
      if other.id == part.id then known = other end
    end
    if known then known.amount = known.amount + part.amount else parts[#parts + 1] = part end
  end
  return parts
end

-- The ms until those budgets of a level that leave less than `minimum` reset; -1 never.
local function level_wait(level, row, minimum, calendar)
  local wait = 0
  for period = 1, 3 do
    local limit = level[period]
    if limit - row[1 + 2 * period] - row[2] < minimum then
      if period == 1 or limit < minimum then return -1 end
      wait = max(wait, moment_of(calendar, row[2 * period]) - now)
    end
  end
  return wait
end

-- Returns what the budgets of all levels leave, the ms until all levels that leave less than
-- `minimum` reset (-1 never), and the first of these levels, if any.
local function budget_room(account, payer, minimum)
  local room, wait, refusing = UNLIMITED, 0, nil
  local local_now = local_time(payer.calendar, now)
  local levels = payer.levels
  for index = 1, #levels do
    local level = levels[index]
    local row = account.rows[level.field]
    if row[4] <= local_now then renew(row, local_now) end
    local total, day, month = level[1] - row[3], level[2] - row[5], level[3] - row[7]
    local left = total
    if day < left then left = day end
    if month < left then left = month end
    left = max(0, left - row[2])
    if left < room then room = left end
    if left < minimum then
      refusing = refusing or level
      local own_wait = level_wait(level, row, minimum, payer.calendar)
      if wait >= 0 then wait = own_wait < 0 and -1 or max(wait, own_wait) end
    end
  end
  return room, wait, refusing
end

-- The ms until the windows of a subscription let it pay `needed`; -1 when none ever will.
local function allowance_wait(account, limits, needed)
  local soonest = -1
  for _, subscription in ipairs(limits.subscriptions) do
    local counters = account.rows[subscription.field]
    local ready, limited, possible = now, false, now < subscription.ends
    for window = 1, 4 do
      local limit = subscription.limits[window]
      if limit >= 0 then
        limited = true
        if limit < needed then possible = false end
        if limit - counters[2 + 2 * window] - counters[2] < needed then ready = max(ready, counters[1 + 2 * window]) end
      end
    end
    if possible and limited and ready > now and ready < subscription.ends then
      local wait = ready - now
      if soonest < 0 or wait < soonest then soonest = wait end
    end
  end
  return soonest
end
