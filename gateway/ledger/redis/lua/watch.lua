--[[
What gateways must know of a partition once a second.
  head  "w<partition 2 digits>"
Answers "w<epoch or empty>,<drainedMs>,<records>": usage stream entries with a time part below `drainedMs` are in Postgres;
`records` are still on their way.
]]
local function watch(head)
  local tag = '{p' .. sub(head, 2, 3) .. '}:'
  local epoch = call('GET', tag .. 'epoch') or ''
  local entries = call('XLEN', tag .. 'usage')
  -- An entry of this very millisecond may still be written: a second's distance is on the safe side.
  if entries == 0 then return format('w%s,%.0f,0', epoch, real_now - 1000) end
  local first = call('XRANGE', tag .. 'usage', '-', '+', 'COUNT', 1)
  local records = entries + tonumber(call('GET', tag .. 'joined') or '0')
  return format('w%s,%s,%d', epoch, match(first[1][1], '^%d+'), records)
end
