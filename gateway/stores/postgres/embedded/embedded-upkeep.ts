import type { PGlite } from '@electric-sql/pglite';

/**
 * The work of PostgreSQL's background processes, which the embedded database lacks. Without vacuum
 * the ledger's tables, updated by every request, would grow without bound; without checkpoints the
 * write-ahead log would.
 */
const DEAD_ROWS_MIN = 1_000;
const DEAD_ROWS_FRACTION = 0.2;
const WAL_BYTES_BETWEEN_CHECKPOINTS = 64 * 1024 * 1024;

const BLOATED_TABLES = `
  select quote_ident(schemaname) || '.' || quote_ident(relname) as name
  from pg_stat_user_tables
  where n_dead_tup > $1::float8 + $2::float8 * n_live_tup
  order by n_dead_tup desc`;

const WAL_BYTES = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`;

export class EmbeddedUpkeep {
  readonly #database: PGlite;
  readonly #walBytesBetweenCheckpoints: number;
  #checkpointAtBytes = 0;

  constructor(database: PGlite, walBytesBetweenCheckpoints = WAL_BYTES_BETWEEN_CHECKPOINTS) {
    this.#database = database;
    this.#walBytesBetweenCheckpoints = walBytesBetweenCheckpoints;
  }

  /** Runs what is due. Needs the session alone. */
  async run(): Promise<void> {
    const bloated = await this.#database.query<{ name: string }>(BLOATED_TABLES, [
      DEAD_ROWS_MIN,
      DEAD_ROWS_FRACTION,
    ]);
    for (const { name } of bloated.rows) await this.#database.exec(`vacuum (analyze) ${name}`);
    const { rows } = await this.#database.query<{ bytes: number }>(WAL_BYTES);
    const bytes = rows[0]?.bytes ?? 0;
    if (bytes - this.#checkpointAtBytes > this.#walBytesBetweenCheckpoints) {
      await this.#database.exec('checkpoint');
      this.#checkpointAtBytes = bytes;
    }
  }
}
