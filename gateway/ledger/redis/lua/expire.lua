--[[
Closes expired holds of one partition, and compacts cold buckets (requests.lua).
  head  "x<partition 2><limit>"; looks at about `limit` requests at most
Returns "x<closed>,<looked>,<more>"; more is 1 when the partition is not finished. Empty buckets
count a little towards `looked`.

Every hold is found in one of two ways. The sweeper visits each bucket once, in order of time, when
it has become cold, and adds holds that are still open to the set `x`. Holds that may expire before
that are added when they are made: those of requests that came late or have a TTL below HOT_MS. So
the common request, which lives for seconds, never costs an entry in a sorted set.
]]
-- A store that was not swept for long has many buckets. At most so many per call, and so many
-- count as one request.
local BUCKETS_MAX, BUCKETS_PER_REQUEST = 1024, 16
-- Arguments per call; Lua's stack takes about 8000.
local HDEL_MAX = 4000

local function expire_hold(tag, id, bucket, hold)
  close_request(tag, id, bucket, 'x')
  local account = find_account(account_of_hold(tag, hold), fields_of_hold(hold))
  if account then
    return_hold(account, hold, nil)
    give(account, hold.balance)
  end
end

-- Examines the requests of the set whose time has come; returns how many it has closed and
-- examined.
local function expire_noted(tag, limit)
  local noted = call('ZRANGEBYSCORE', tag .. 'x', '-inf', format('%.0f', now), 'LIMIT', 0, limit)
  local closed = 0
  for _, id in ipairs(noted) do
    local bucket = bucket_of(tag, id)
    local state, value = request_state(tag, id, bucket)
    local hold = state == 'o' and read_hold(value)
    if hold and hold.expires_at > now then
      call('ZADD', tag .. 'x', format('%.0f', hold.expires_at), id)
    else
      if hold then
        expire_hold(tag, id, bucket, hold)
        closed = closed + 1
      end
      call('ZREM', tag .. 'x', id)
    end
  end
  return closed, #noted
end

-- Reads a bucket until something can be moved, or to its end: otherwise a bucket of many open
-- holds would be read from its start for ever. Returns the entries by what becomes of them, and
-- whether the end was reached.
local function read_bucket(bucket, limit)
  local moved, compacted, open, kept, looked, cursor = {}, {}, {}, 0, 0, '0'
  repeat
    local scan = call('HSCAN', bucket, cursor, 'COUNT', limit)
    cursor = scan[1]
    local entries = scan[2]
    for at = 1, #entries, 2 do
      local id, value = entries[at], entries[at + 1]
      local state = sub(value, 1, 1)
      looked = looked + 1
      if state == 'o' then
        open[#open + 1] = { id = id, expires_at = read_hold(value).expires_at }
      elseif state == 'm' then
        kept = kept + 1
      else
        moved[#moved + 1] = id
        compacted[#compacted + 1] = compact_id(id) .. state
      end
    end
  until cursor == '0' or (looked >= limit and #moved > 0)
  return { moved = moved, compacted = compacted, open = open, kept = kept, looked = looked, done = cursor == '0' }
end

-- Moves the closed requests of a cold bucket into the page's string and adds its open ones to the
-- set. Returns how many it has examined and whether the bucket is finished.
local function compact_bucket(tag, name, limit)
  local bucket, page = tag .. 'r:' .. name, tag .. 'c:' .. sub(name, 1, 8)
  local looked, done = 0, true
  if call('EXISTS', bucket) == 1 then
    local found = read_bucket(bucket, limit)
    looked, done = found.looked, found.done
    for _, hold in ipairs(found.open) do call('ZADD', tag .. 'x', format('%.0f', hold.expires_at), hold.id) end
    for from = 1, #found.moved, HDEL_MAX do
      call('HDEL', bucket, unpack(found.moved, from, min(from + HDEL_MAX - 1, #found.moved)))
    end
    if #found.moved > 0 then
      call('APPEND', page, concat(found.compacted))
      call('PEXPIREAT', page, format('%.0f', max((tonumber(sub(name, 1, 8), 16) + 1) * PAGE_MS, now) + CLOSED_MEMORY_MS))
    end
    if done and #found.open + found.kept > 0 then keep_bucket(bucket, name) end
  end
  -- A string that has grown by APPEND occupies up to twice its size; the page's last bucket trims
  -- it.
  if done and sub(name, 9) == 'f' then
    local packed = call('GET', page)
    if packed then call('SET', page, packed, 'KEEPTTL') end
  end
  return looked, done
end

local function sweep_buckets(tag, limit)
  local hot = first_hot_bucket()
  -- Set by the load of the partition's first account (load.lua), before there can be a request.
  local noted = tonumber(call('GET', tag .. 'swept') or hot)
  -- A clock that was ahead has led beyond the hot buckets; holds made in those would never be
  -- examined.
  local from = min(noted, hot)
  local swept, looked = from, 0
  while swept < hot and looked < limit and swept - from < BUCKETS_MAX do
    local count, done = compact_bucket(tag, format('%09x', swept), limit)
    looked = looked + count
    if not done then break end
    swept = swept + 1
  end
  if swept ~= noted then call('SET', tag .. 'swept', format('%.0f', swept)) end
  return looked + ceil((swept - from) / BUCKETS_PER_REQUEST), swept < hot
end

local function expire(head)
  local tag, limit = '{p' .. sub(head, 2, 3) .. '}:', tonumber(sub(head, 4))
  local looked, more = sweep_buckets(tag, limit)
  local closed, noted = expire_noted(tag, limit)
  return format('x%d,%d,%d', closed, looked + noted, (more or noted >= limit) and 1 or 0)
end
