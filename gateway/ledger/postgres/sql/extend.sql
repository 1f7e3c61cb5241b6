-- $1 request, $2 payer (JSON of Payer), $3 extension, $4 amount, $5 minimum (nanodollars), $6 time to live (ms), $7 clock offset (ms)
select code, amount from ledger_extend($1, $2, $3, $4, $5, $6, $7);
