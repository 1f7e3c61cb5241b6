-- $1 request, $2 payer (JSON of Payer), $3 extension, $4 amount, $5 minimum (nanodollars), $6 time
-- to live (ms), $7 how long closed requests are remembered (ms), $8 clock offset (ms)
select code, amount from ledger_extend($1, $2, $3, $4, $5, $6, $7, $8);
