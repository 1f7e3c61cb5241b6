--[[
Rates by a leaky bucket (generic cell rate algorithm) in whole numbers, so exact. A row has a level
and the time at which it was right. The level is in 60,000ths of a request or token and falls by
the limit per minute every millisecond. A minute's worth fits at once; for what does not fit, the
time when it will is known exactly. Tokens used beyond their estimate can raise a level above a
minute's worth; requests cannot.
]]
local MINUTE_MS = 60000
-- Index of the limit under which the level at an index was set.
local LIMIT_AT = { [TOKENS] = TOKENS_LIMIT, [GROUP_TOKENS] = GROUP_TOKENS_LIMIT }

-- The present level at `index` of the row. A level that was set under another limit counts as one
-- minute's worth at most: after a limit was lowered from 6,000 to 60, nothing would fit for an
-- hour and a half otherwise.
local function level_of(row, index, per_minute)
  local level, limit_at = row[index], LIMIT_AT[index]
  if not limit_at or row[limit_at] ~= per_minute then level = min(level, per_minute * MINUTE_MS) end
  return max(0, level - max(0, now - row[index + 1]) * per_minute)
end

-- The level after taking `count` at `per_minute`; or nil and the ms to wait, -1 when no wait is
-- long enough.
local function take_rate(row, index, count, per_minute)
  local full = per_minute * MINUTE_MS
  local taken = count * MINUTE_MS
  if taken > full then return nil, -1 end
  local over = level_of(row, index, per_minute) + taken - full
  if over > 0 then return nil, ceil(over / per_minute) end
  return over + full
end

local function set_level(row, index, level, per_minute)
  row[index], row[index + 1] = level, now
  local limit_at = LIMIT_AT[index]
  if limit_at then row[limit_at] = per_minute end
  row.dirty = true
end
