-- $1 request, $2 account, $3 clock offset (ms)
select ledger_release($1, $2, $3) as code;
