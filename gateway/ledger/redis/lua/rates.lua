--[[
Rates by the leaky bucket (generic cell rate algorithm), in whole numbers and so exact. A row has a level and the time at which it
was right; the level is in 60,000ths of a request or token and sinks by the limit per minute every millisecond. A minute's worth
fits at once, and what does not fit is told exactly when it will.
]]
local MINUTE_MS = 60000

-- The level that stands at `index` of the row, now.
local function level_of(row, index, per_minute)
  return max(0, row[index] - max(0, now - row[index + 1]) * per_minute)
end

-- The level after taking `count` at `per_minute`, or nothing and the ms to wait; -1 when no wait is long enough.
local function take_rate(row, index, count, per_minute)
  local full = per_minute * MINUTE_MS
  local taken = count * MINUTE_MS
  if taken > full then return nil, -1 end
  local over = level_of(row, index, per_minute) + taken - full
  if over > 0 then return nil, ceil(over / per_minute) end
  return over + full
end

local function set_level(row, index, level)
  row[index], row[index + 1] = level, now
  row.dirty = true
end
