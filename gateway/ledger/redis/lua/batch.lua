--[[
A function library: carries any number of ledger calls in one step. The calls run in order; each account is read when it is
first touched and written once at the end, so that a hundred calls for one account cost one read and one write.

KEYS[1…] of the slot that all calls belong to (on a single Redis: of any slot); only route the script (run-script.ts).
ARGV[1]  added to the store's clock, ms: 0 outside of tests. From 1e12 on it is the time itself.
ARGV[2…] the calls one after another. A call is its head, whose first letter names the operation, and the
         arguments that the file of the operation documents.

Returns one string: "<now>,<streamMs>" and one line per call, separated by line feeds. `now` is the store's clock in ms
and `streamMs` the time part of the newest usage stream entry that this batch wrote, 0 when it wrote none.
Lines every operation may answer: "N" the account, key or a subscription is not loaded; "E<message>" the call broke
an invariant and changed nothing.

Keys, all with the tag of the account's partition, {p00} to {p63}:
  {pNN}:a:<account>  hash: `a` money of the account, `k:<key>`, `g:<group>`, `s:<subscription>` its counters (accounts.lua)
  {pNN}:r:<bucket>   hash: state of each request that began within about 4 s (requests.lua)
  {pNN}:c:<page>     string: closed requests of about 65 s, compacted (requests.lua)
  {pNN}:x            sorted set: requests that the sweeper must look at, by time (expire.lua)
  {pNN}:q:<account>  string: sequence of a credit that came before the account was loaded (credit.lua, load.lua)
  {pNN}:usage        stream: settled records on their way to Postgres (settle.lua)
  {pNN}:joined       string: records of that stream beyond one for each entry (settle.lua)
  {pNN}:entered      string: id of the newest entry of that stream that was entered into the book and deleted (redis/stale-redis.ts)
  {pNN}:drain        string: the reader that has the stream to itself for some seconds (usage/lua/read-usage.lua)
  {pNN}:epoch        string: which life of the store this is (load.lua)
  {p00}:book         string: which database this ledger belongs to (redis/ledger-ownership.ts)
  {p00}:change       string: how far that database had come (redis/postgres-watermark.ts)
  {pNN}:swept        string: the bucket up to which the sweeper has been (expire.lua)

Numbers: amounts are whole and below 2^53, which Lua's doubles hold exactly. They are stored packed (struct, "<d") and
never concatenated: `..` would round them to 14 digits.

A library (FUNCTION LOAD) and not a script: a script makes all its functions anew at every run, which cost more than the calls.
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

-- First letter of the head → the operation and how many arguments follow the head.
local operation_of = {
  h = hold, e = extend, s = settle, r = release, x = expire,
  c = credit, l = load, a = account_state, w = watch,
}
local arguments_of = { h = 1, e = 1, s = 2, r = 1, x = 0, c = 1, l = 1, a = 1, w = 0 }

local function run(KEYS, ARGV)
  begin(ARGV[1])
  local lines = { '' }
  local at, last = 2, #ARGV
  while at <= last do
    local head = ARGV[at]
    local letter = sub(head, 1, 1)
    -- An error must not take the other calls of the batch with it: their accounts are written below.
    local ok, line = pcall(operation_of[letter], head, ARGV[at + 1], ARGV[at + 2])
    if not ok then
      line = 'E' .. gsub(type(line) == 'table' and line.err or tostring(line), '[\r\n]', ' ')
    end
    lines[#lines + 1] = line
    at = at + 1 + arguments_of[letter]
  end
  -- Nothing undoes what calls have written so far, requests and holds, so these must not fail. They do not: a script that Redis
  -- has no memory or disk for, or whose slot is on its way to another node, is refused as a whole before its first write.
  write_accounts()
  lines[1] = format('%s,%.0f', now_text, write_usage())
  return concat(lines, '\n')
end
