--[[
Holds nothing on an account of the probe's own, releases it and deletes what that has written. It
shows that the store takes holds, and leaves nothing of it.
  head  "p<partition 2><request 36>"
Returns "p" done, "n" the partition has no epoch. Anything else that a step answers is an error.
]]
local PROBE_ID = '00000000-0000-4000-8000-000000000000'
local PROBE_TTL_MS = 120000

local function expect_answer(answer, wanted, step)
  if answer ~= wanted then error('the probe: ' .. step .. ' answered ' .. answer) end
end

local function probe(head)
  local tag, id = '{p' .. sub(head, 2, 3) .. '}:', sub(head, 4, 39)
  local epoch = call('GET', tag .. 'epoch')
  if not epoch then return 'n' end
  local name = tag .. 'a:' .. PROBE_ID
  local ok, failure = pcall(function()
    expect_answer(load('l' .. epoch .. ',0,0', name .. ';k' .. PROBE_ID .. ',0,0,0,0,0'), 'l', 'load')
    local payer = name .. 'k:' .. PROBE_ID .. 'g:' .. PROBE_ID
    expect_answer(hold('h' .. id .. '0,0,0,' .. format('%.0f', PROBE_TTL_MS), payer), 'h', 'hold')
    expect_answer(release('r' .. id, name), 'r', 'release')
  end)
  -- Also of a step that failed. The account must not be written at the end of the batch.
  accounts[name] = nil
  call('DEL', name)
  call('HDEL', bucket_of(tag, id), id)
  call('ZREM', tag .. 'x', id)
  if not ok then error(failure, 0) end
  return 'p'
end
