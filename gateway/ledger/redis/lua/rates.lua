--[[
Rates by the generic cell rate algorithm. `until` is the time at which everything taken so far will have flowed off; a
minute's worth may be taken at once. Needs one number per limit and tells exactly when a retry fits.
]]
local MINUTE_MS = 60000

-- The new `until` after taking `count` at `per_minute`, or nothing and the ms to wait; -1 when no wait is long enough.
local function take_rate(until_ms, count, per_minute)
  local cost = count * MINUTE_MS / per_minute
  if cost > MINUTE_MS then return nil, -1 end
  local taken = max(until_ms, now) + cost
  local over = taken - now - MINUTE_MS
  -- Sums of fractions miss by far less than this, which is far less than a millisecond.
  if over > 0.0001 then return nil, ceil(over - 0.0001) end
  return taken
end
