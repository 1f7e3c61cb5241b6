-- $1 account. accountId is null when Postgres does not know it.
select account_id as "accountId", available_nano_usd as "availableNanoUsd", held_nano_usd as "heldNanoUsd",
  owed_nano_usd as "owedNanoUsd", credit_sequence as "creditSequence", in_flight as "inFlight"
from ledger_lock_account($1);
