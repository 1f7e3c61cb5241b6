-- $1 limit, $2 how long closed requests are remembered (ms), $3 clock offset (ms)
select ledger_expire($1, $2, $3) as closed;
