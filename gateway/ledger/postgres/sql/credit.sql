-- $1 account, $2 sequence, $3 amount (nanodollars, may be negative), $4 the hold that has kept the
-- money, null for none, $5 how long closed requests are remembered (ms), $6 clock offset (ms)
select code, sequence from ledger_credit($1, $2, $3, $4, $5, $6);
