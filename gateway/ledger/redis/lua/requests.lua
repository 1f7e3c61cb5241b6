--[[
The state of each request. Request ids are version 7 UUIDs: the first 9 hexadecimal digits of their
time name a bucket of 4.096 s, the first 8 a page of 65.536 s, so the place of a request follows
from its id.

A bucket's hash has one field per request, the id. Its value starts with the state:
  o  open: packed hold, see below
  s  settled, all from the balance      u  settled, all from subscriptions
  m  settled, mixed: "m<balance>,<subscription>,<uncollected>"
  r  released                           x  expired; a settle that still comes is charged
The sweeper compacts cold pages: closed requests move into one string per page, 13 bytes each (the
last 12 bytes of the id and the state), so that a day of them stays small however they are spread.
`m` and open requests stay in their hash.
]]
-- Packed hold: expiresAt, amount, minimum, tokens, balance, extension, tokens per minute of the key
-- and of the group (0: no limit); then the payer's `ids`; then per subscription its id, startedAt
-- and amount, PART_BYTES; then "|<field>" for each scope with a budget, together shorter than
-- PART_BYTES: a gateway of the former version fails to read it, and does not release half of it.
local HOLD = '<dddddddd'
local HOLD_IDS_AT, HOLD_PARTS_AT, PART_BYTES = 66, 178, 52

local BUCKET_MS = 4096

-- Number of the first hot bucket. A request of an earlier one is cold from the start.
local function first_hot_bucket()
  return tonumber(hot_page, 16) * PAGE_MS / BUCKET_MS
end

local function bucket_of(tag, id)
  return tag .. 'r:' .. sub(id, 1, 8) .. sub(id, 10, 10)
end

local function compact_id(id)
  return (gsub(sub(id, 10, 13) .. sub(id, 15, 18) .. sub(id, 20, 23) .. sub(id, 25, 36), '%x%x', function(hex)
    return string.char(tonumber(hex, 16))
  end))
end

-- Position of the request in the page's string (from 1), and the string; nil when it is not there.
local function find_compacted(tag, id)
  local page = call('GET', tag .. 'c:' .. sub(id, 1, 8))
  if not page then return nil end
  local wanted = compact_id(id)
  local at = find(page, wanted, 1, true)
  while at and (at - 1) % 13 ~= 0 do at = find(page, wanted, at + 1, true) end
  return at, page
end

-- The request's state letter and its value; nil when the request is unknown.
local function request_state(tag, id, bucket)
  local value = call('HGET', bucket, id)
  if value then return sub(value, 1, 1), value end
  if sub(id, 1, 8) < hot_page then
    local at, page = find_compacted(tag, id)
    if at then return sub(page, at + 12, at + 12) end
    -- Older than the memory: it counts as closed, because nothing shows whether it was.
    if sub(id, 1, 8) < known_page then return 'r' end
  end
  return nil
end

-- Sets the expiry of a bucket in a page that the sweeper has passed; it would not visit it again.
local function keep_bucket(bucket, id)
  local page_end = (tonumber(sub(id, 1, 8), 16) + 1) * PAGE_MS
  call('PEXPIREAT', bucket, format('%.0f', max(page_end, now) + CLOSED_MEMORY_MS))
end

local function close_request(tag, id, bucket, value)
  if sub(id, 1, 8) < hot_page then
    local at = find_compacted(tag, id)
    if at and #value == 1 then
      call('SETRANGE', tag .. 'c:' .. sub(id, 1, 8), at + 11, value)
      return
    end
    call('HSET', bucket, id, value)
    keep_bucket(bucket, id)
    return
  end
  call('HSET', bucket, id, value)
end

local function read_parts(value, last)
  local parts, total = {}, 0
  for at = HOLD_PARTS_AT, last, PART_BYTES do
    local started, amount = unpack_struct('<dd', value, at + 36)
    parts[#parts + 1] = { id = sub(value, at, at + 35), started = started, amount = amount }
    total = total + amount
  end
  return parts, total
end

local function read_hold(value)
  local expires_at, amount, minimum, tokens, balance, extension, key_tpm, group_tpm = unpack_struct(HOLD, value, 2)
  local parts, subscription, scopes = false, 0, false
  local rest = #value - HOLD_PARTS_AT + 1
  if rest > 0 then
    local last = #value - rest % PART_BYTES
    if last >= HOLD_PARTS_AT then parts, subscription = read_parts(value, last) end
    if last < #value then scopes = sub(value, last + 1) end
  end
  return {
    expires_at = expires_at, amount = amount, minimum = minimum, tokens = tokens, balance = balance, extension = extension,
    key_tpm = key_tpm, group_tpm = group_tpm,
    ids = sub(value, HOLD_IDS_AT, HOLD_PARTS_AT - 1), parts = parts, total = balance + subscription,
    scopes = scopes,
  }
end

local function write_hold(hold)
  local value = 'o' .. pack(HOLD, hold.expires_at, hold.amount, hold.minimum, hold.tokens, hold.balance, hold.extension,
    hold.key_tpm, hold.group_tpm) .. hold.ids
  if hold.parts then
    for _, part in ipairs(hold.parts) do
      value = value .. part.id .. pack('<dd', part.started, part.amount)
    end
  end
  if hold.scopes then value = value .. hold.scopes end
  return value
end

local function account_of_hold(tag, hold)
  return tag .. 'a:' .. sub(hold.ids, 1, 36)
end

local function key_field_of_hold(hold)
  return sub(hold.ids, 37, 74)
end

local function group_field_of_hold(hold)
  return sub(hold.ids, 75, 112)
end

-- Counts an amount and a number of requests as held by the scopes of a hold.
local function hold_scopes(account, scopes, requests, amount)
  for _, field in ipairs(fields_of_held(scopes)) do
    local row = account.rows[field] or find_row(account, field)
    row[1], row[2] = row[1] + requests, row[2] + amount
    row.dirty = true
  end
end

-- Fields of the account's hash that the hold has changed.
local function fields_of_hold(hold)
  local fields = { 'a', key_field_of_hold(hold) }
  if hold.group_tpm > 0 then fields[3] = group_field_of_hold(hold) end
  if hold.parts then
    for _, part in ipairs(hold.parts) do fields[#fields + 1] = 's:' .. part.id end
  end
  if hold.scopes then
    for _, field in ipairs(fields_of_held(hold.scopes)) do fields[#fields + 1] = field end
  end
  return fields
end
