/** Connections that the pools of a process have at most. */
export const CONNECTIONS = {
  /** For migrations, admin API, catalog, credits and drain together. */
  main: 16,
  /** Of its own: a revoked key must not wait behind what the admin API asks. */
  changeFeed: 1,
  /** Of an HTTP thread whose ledger is PostgreSQL. */
  asLedger: 16,
  /** Of an HTTP thread with Redis: PostgreSQL only loads accounts. */
  besideRedis: 4,
  /** Of a worker. Lookups are short; more would only move the queue into PostgreSQL. */
  worker: 2,
} as const;
