-- $1 request, $2 payer (JSON of Payer), $3 amount, $4 minimum (nanodollars), $5 tokens, $6 time to
-- live (ms), $7 how long closed requests are remembered (ms), $8 clock offset (ms)
select code, held, retry_after_ms as "retryAfterMs", affordable
from ledger_hold($1, $2, $3, $4, $5, $6, $7, $8);
