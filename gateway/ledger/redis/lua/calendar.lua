-- UTC calendar. Days are counted from 1970-01-01. Years start in March, so that the leap day is
-- the last.
local DAY_MS = 86400000

-- Year, month (1 to 12) and day of month of a day number.
local function date_of(days)
  local shifted = days + 719468
  local era = floor(shifted / 146097)
  local day_of_era = shifted - era * 146097
  local year_of_era = floor((day_of_era - floor(day_of_era / 1460) + floor(day_of_era / 36524) - floor(day_of_era / 146096)) / 365)
  local day_of_year = day_of_era - (365 * year_of_era + floor(year_of_era / 4) - floor(year_of_era / 100))
  local march_month = floor((5 * day_of_year + 2) / 153)
  local day = day_of_year - floor((153 * march_month + 2) / 5) + 1
  local month = march_month < 10 and march_month + 3 or march_month - 9
  local year = year_of_era + era * 400
  if month <= 2 then year = year + 1 end
  return year, month, day
end

-- Day number of a date.
local function days_of(year, month, day)
  if month <= 2 then year = year - 1 end
  local era = floor(year / 400)
  local year_of_era = year - era * 400
  local day_of_year = floor((153 * (month > 2 and month - 3 or month + 9) + 2) / 5) + day - 1
  return era * 146097 + year_of_era * 365 + floor(year_of_era / 4) - floor(year_of_era / 100) + day_of_year - 719468
end

-- `months` after a time: the same day of the month and time of day, or the last day of a shorter
-- month.
local function add_months(ms, months)
  local days = floor(ms / DAY_MS)
  local year, month, day = date_of(days)
  local count = year * 12 + month - 1 + months
  year = floor(count / 12)
  month = count - year * 12 + 1
  local next_year, next_month = year, month + 1
  if next_month > 12 then next_year, next_month = year + 1, 1 end
  local length = days_of(next_year, next_month, 1) - days_of(year, month, 1)
  return days_of(year, month, min(day, length)) * DAY_MS + ms - days * DAY_MS
end

-- Start and end of the UTC day and of the UTC month that contain a time.
local function day_bounds(ms)
  local start = floor(ms / DAY_MS) * DAY_MS
  return start, start + DAY_MS
end

local function month_bounds(ms)
  local year, month = date_of(floor(ms / DAY_MS))
  local start = days_of(year, month, 1) * DAY_MS
  return start, add_months(start, 1)
end

-- Local time of an account, as ms that show it in UTC: days and months of budgets are then computed
-- in UTC whatever the zone is. A calendar is { offset, from, offset, … }, ms: the offset to UTC, and
-- each moment from which the next one applies. Nil is UTC.
local function local_time(calendar, ms)
  if not calendar then return ms end
  local offset = calendar[1]
  for at = 2, #calendar, 2 do
    if ms < calendar[at] then break end
    offset = calendar[at + 1]
  end
  return ms + offset
end

-- The first moment at which local time is `local_ms` or later.
local function moment_of(calendar, local_ms)
  if not calendar then return local_ms end
  local offset = calendar[1]
  for at = 2, #calendar, 2 do
    if local_ms - offset < calendar[at] then return local_ms - offset end
    offset = calendar[at + 1]
    -- The clock jumps over it.
    if calendar[at] + offset >= local_ms then return calendar[at] end
  end
  return local_ms - offset
end

-- Allowance windows by number, in the order of an account's packed counters; 4 is the month.
local WINDOW_MS = { 18000000, DAY_MS, 7 * DAY_MS }

-- Start of the n-th month window: by the calendar, but at least 30 days after the one before.
-- Otherwise a plan of 30 days around February would get a second month's allowance shortly before
-- its end.
local function month_bound(started, months)
  return max(add_months(started, months), started + months * 30 * DAY_MS)
end

-- Start and end of the window that contains `ms`, counted from `started`. Before that, the first
-- window.
local function window_bounds(window, started, ms)
  local length = WINDOW_MS[window]
  if length then
    local start = started + max(0, floor((ms - started) / length)) * length
    return start, start + length
  end
  local from_year, from_month = date_of(floor(started / DAY_MS))
  local to_year, to_month = date_of(floor(ms / DAY_MS))
  local months = max(0, (to_year - from_year) * 12 + to_month - from_month)
  while months > 0 and month_bound(started, months) > ms do months = months - 1 end
  return month_bound(started, months), month_bound(started, months + 1)
end
