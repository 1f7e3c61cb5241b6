--[[
What gateways must know of partitions once a second.
  head  "w<partition 2>…", the partitions that the store has in this slot
Returns "w<epoch>,<drainedMs>,<records>,<entered>…", for each further partition after a ";". The
epoch is empty when the partition is lost. Stream entries with a time part below `drainedMs` are in
Postgres; `records` are not yet. `entered` is the newest entry that was inserted there and deleted
here, or empty.
]]
local function watch_partition(name)
  local tag = '{p' .. name .. '}:'
  local epoch, entered = call('GET', tag .. 'epoch') or '', call('GET', tag .. 'entered') or ''
  local entries = call('XLEN', tag .. 'usage')
  -- An entry of this very millisecond may still be written; a second's distance is safe.
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
