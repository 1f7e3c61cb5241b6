--[[
What gateways must know of partitions once a second.
  head  "w<partition 2 digits>…", as many partitions as the store has in this slot
Answers "w<epoch or empty>,<drainedMs>,<records>" and the same after a ";" for each further partition: usage stream entries with a
time part below `drainedMs` are in Postgres; `records` are still on their way.
]]
local function watch_partition(name)
  local tag = '{p' .. name .. '}:'
  local epoch = call('GET', tag .. 'epoch') or ''
  local entries = call('XLEN', tag .. 'usage')
  -- An entry of this very millisecond may still be written: a second's distance is on the safe side.
  if entries == 0 then return format('%s,%.0f,0', epoch, real_now - 1000) end
  local first = call('XRANGE', tag .. 'usage', '-', '+', 'COUNT', 1)
  local records = entries + tonumber(call('GET', tag .. 'joined') or '0')
  return format('%s,%s,%d', epoch, match(first[1][1], '^%d+'), records)
end

local function watch(head)
  local found = {}
  for at = 2, #head, 2 do found[#found + 1] = watch_partition(sub(head, at, at + 1)) end
  return 'w' .. concat(found, ';')
end
