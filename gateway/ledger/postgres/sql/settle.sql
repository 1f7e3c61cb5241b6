-- $1 request, $2 payer (JSON of Payer), $3 actual cost (nanodollars), $4 tokens, $5 usage record
-- (JSON), $6 how long closed requests are remembered (ms), $7 clock offset (ms)
select code, balance, subscription, uncollected from ledger_settle($1, $2, $3, $4, $5, $6, $7);
