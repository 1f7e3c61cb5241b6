-- $1 request, $2 account, $3 how long closed requests are remembered (ms), $4 clock offset (ms)
select ledger_release($1, $2, $3, $4) as code;
