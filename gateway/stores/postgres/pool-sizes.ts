/** Connections that the pools of a process have at most. */
export const CONNECTIONS = {
  /** For migrations, admin API, catalog, credits and drain together. */
  main: 16,
  /**
   * The change feed has a connection of its own: a revoked key must not wait for queries of the
   * admin API.
   */
  changeFeed: 1,
  /** Connections of an HTTP thread whose ledger is PostgreSQL. */
  asLedger: 16,
  /** Connections of an HTTP thread with Redis: PostgreSQL only loads accounts. */
  besideRedis: 4,
  /** Connections of a worker. Lookups are short; more would only move the queue into PostgreSQL. */
  worker: 2,
} as const;
