--[[
A function library that runs any number of ledger calls in one step. The calls run in order. Each
account is read when it is first used and written once at the end, so that a hundred calls for one
account cost one read and one write.

KEYS[1…] of the slot of all calls (on a single Redis of any slot); they only route the script.
ARGV[1]  added to the store's clock, ms: 0 outside of tests. From 1e12 on it is the time itself.
ARGV[2…] the calls one after another. A call is its head, whose first letter names the
         operation, and the arguments that the operation's file documents (redis/commands/command-table.ts).

Returns one string: "<now>,<streamMs>" and one line per call, separated by line feeds. `now` is the
store's clock in ms, `streamMs` the time part of the newest usage stream entry that this batch has
written, 0 when it has written none. Every operation may return "N", the account, the key or a
subscription is not loaded, or "E<message>", the call has broken an invariant and changed nothing.

Keys, all with the tag of the account's partition, {p00} to {p63}:
  {pNN}:a:<account>  hash: `a` money of the account, `k:<key>`, `g:<group>`, `s:<subscription>`, `b`,
                     `t<team>`, `m<member>` its counters (accounts.lua)
  {pNN}:r:<bucket>   hash: state of each request that started within about 4 s (requests.lua)
  {pNN}:c:<page>     string: closed requests of about 65 s, compacted (requests.lua)
  {pNN}:x            sorted set: requests that the sweeper must examine, by time (expire.lua)
  {pNN}:q:<account>  string: sequence of a credit that came before the account's load (credit.lua)
  {pNN}:usage        stream: settled records on their way to Postgres (settle.lua)
  {pNN}:joined       string: records of that stream beyond one per entry (settle.lua)
  {pNN}:entered      string: id of the newest entry of that stream that was inserted into Postgres
                     and deleted (redis/recovery/stale-redis.ts)
  {pNN}:drain        string: the reader that leases the stream (usage/lua/read-usage.lua)
  {pNN}:epoch        string: the epoch of the partition (load.lua)
  {pNN}:swept        string: the bucket up to which the sweeper has been (expire.lua)
  {p00}:book         string: the database of this ledger (redis/recovery/ledger-ownership.ts)
  {p00}:change       string: watermark of that database (redis/recovery/postgres-watermark.ts)

Numbers: amounts are whole and below 2^53, which Lua's doubles hold exactly. They are stored packed
(struct, "<d") and never concatenated: `..` would round them to 14 digits.

A library (FUNCTION LOAD) and not a script, because a script creates all its functions at every
run, which costs more than the calls.
]]
-- include clock.lua
-- include calendar.lua
-- include payer.lua
-- include accounts.lua
-- include requests.lua
-- include rates.lua
-- include funds.lua
-- include hold.lua
-- include extend.lua
-- include settle.lua
-- include release.lua
-- include expire.lua
-- include credit.lua
-- include load.lua
-- include account-state.lua
-- include watch.lua
-- include probe.lua

-- First letter of the head → the operation and the number of arguments after the head.
local operation_of = {
  h = hold, e = extend, s = settle, r = release, x = expire,
  c = credit, l = load, a = account_state, w = watch, p = probe,
}
local arguments_of = { h = 1, e = 1, s = 2, r = 1, x = 0, c = 1, l = 1, a = 1, w = 0, p = 0 }

local function run(KEYS, ARGV)
  begin(ARGV[1])
  local lines = { '' }
  local at, last = 2, #ARGV
  while at <= last do
    local head = ARGV[at]
    local letter = sub(head, 1, 1)
    -- An error must not affect the other calls of the batch: their accounts are written below.
    local ok, line = pcall(operation_of[letter], head, ARGV[at + 1], ARGV[at + 2])
    if not ok then
      line = 'E' .. gsub(type(line) == 'table' and line.err or tostring(line), '[\r\n]', ' ')
    end
    lines[#lines + 1] = line
    at = at + 1 + arguments_of[letter]
  end
  -- Nothing undoes the requests and holds that calls have written, so these writes must not fail.
  -- They do not: when Redis is out of memory or disk, or the slot is migrating, it refuses the
  -- whole script before its first write.
  write_accounts()
  lines[1] = format('%s,%.0f', now_text, write_usage())
  return concat(lines, '\n')
end
