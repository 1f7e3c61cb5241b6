-- $1 account, $2 sequence, $3 amount (nanodollars, may be negative)
select code, sequence from ledger_credit($1, $2, $3);
