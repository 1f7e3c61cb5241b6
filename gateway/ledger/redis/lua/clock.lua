-- Names of the standard library, and the store's clock. The library is loaded once and its
-- variables persist, so `begin` resets everything that belongs to one batch: a file that keeps
-- state for a batch adds a line there.
local call
local sub, byte, find, match, gsub, format, concat
local floor, ceil, min, max
local pack, unpack_struct

-- redis and the libraries are undefined while the library is loaded, only while a function runs.
local function name_library()
  call = redis.call
  sub, byte, find, match, gsub, format = string.sub, string.byte, string.find, string.match, string.gsub, string.format
  concat = table.concat
  floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
  pack, unpack_struct = struct.pack, struct.unpack
end

-- The store's clock, ms, as a number and as text; and the real clock without a test's offset.
local now, now_text, real_now
-- Requests of pages before `hot_page` may be compacted; nothing is known of pages before
-- `known_page` (requests.lua).
local hot_page, known_page
local page_number
-- What this batch has read: accounts by key (accounts.lua); and the records it has settled, by
-- partition (settle.lua).
local accounts, usage

local HOT_MS, CLOSED_MEMORY_MS = %HOT_MS%, %CLOSED_MEMORY_MS%
local PAGE_MS = 65536
-- From here on an offset is the time itself; no test moves the clock by thirty years.
local ABSOLUTE_MS = 1000000000000

local function page_of(ms)
  return format('%08x', max(0, floor(ms / PAGE_MS)))
end

local function begin(offset)
  if not call then name_library() end
  local time = call('TIME')
  real_now = time[1] * 1000 + floor(time[2] / 1000)
  local moved = tonumber(offset)
  now = moved < ABSOLUTE_MS and real_now + moved or moved
  now_text = format('%.0f', now)
  -- Both change when a page ends, every 65 s. HOT_MS and CLOSED_MEMORY_MS are rounded up to a
  -- page.
  local number = floor(now / PAGE_MS)
  if number ~= page_number then
    page_number = number
    hot_page, known_page = page_of(number * PAGE_MS - HOT_MS), page_of(number * PAGE_MS - CLOSED_MEMORY_MS)
  end
  accounts, usage = {}, {}
end
