--[[
What gateways must know of partitions once a second.
  head  "w<partition 2 digits>…", as many partitions as the store has in this slot
Answers "w<epoch or empty>,<drainedMs>,<records>,<entered or empty>" and the same after a ";" for each further partition: usage stream entries with a
time part below `drainedMs` are in Postgres; `records` are still on their way.
`entered` is the newest entry that was entered into the book and deleted.
]]
local function watch_partition(name)
  local tag = '{p' .. name .. '}:'
  local epoch, entered = call('GET', tag .. 'epoch') or '', call('GET', tag .. 'entered') or ''
  local entries = call('XLEN', tag .. 'usage')
  -- An entry of this very millisecond may still be written: a second's distance is on the safe side.
  if entries == 0 then return format('%s,%.0f,0,%s', epoch, real_now - 1000, entered) end
  local first = call('XRANGE', tag .. 'usage', '-', '+', 'COUNT', 1)
  local records = entries + tonumber(call('GET', tag .. 'joined') or '0')
  return format('%s,%s,%d,%s', epoch, match(first[1][1], '^%d+'), records, entered)
end

local function watch(head)
  local found = {}
  for at = 2, #head, 2 do found[#found + 1] = watch_partition(sub(head, at, at + 1)) end
  return 'w' .. concat(found, ';')
end
