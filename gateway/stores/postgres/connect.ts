import pg from 'pg';
import { isEmbeddedAddress } from './embedded-address.ts';
import { recogniseConnection } from './pooler.ts';

const INT8_OID = 20;

/** PostgreSQL's bigint as a number. Amounts beyond 2^53 are refused on the way in, so a larger one is a broken invariant. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
  return value;
}

export interface PoolOptions {
  readonly connectionsMax: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** A statement that takes longer is cancelled; 0: none is. A minute unless told otherwise. */
  readonly statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * So long after it should have cancelled a statement a server counts as silent: its machine is gone, or packets are swallowed on the way.
 * TCP would wait for it for a quarter of an hour.
 */
const SILENCE_MS = 1_000;

/**
 * Opens a pool. Connections are made when first needed. One that breaks while idle is dropped; one that breaks while it is in
 * use rejects its next query, and is dropped when it is released; so is one whose server is silent.
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, parseInt8);
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Not as a parameter of the start, which PgBouncer refuses by default.
    verify: (client, done) => {
      // In the embedded database's one session it would be everyone's.
      const ownTimeoutMs = isEmbeddedAddress(url) ? 0 : statementTimeoutMs;
      recogniseConnection(client, ownTimeoutMs)
        .then(() => done())
        .catch((error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
        });
    },
    // Rejects the query; the pool, and whoever has taken a connection out of it, then closes the connection. The embedded database's
    // address says that there is none (embedded-thread.ts).
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MS }),
    keepAlive: true,
    allowExitOnIdle: false,
    types,
  });
  // An error event that nobody listens to ends the process. The pool's are of idle connections; while one is in use, and above all
  // between two of its statements, the event is its own. Nothing is hidden: a broken connection rejects every query.
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** A query that is given up, and its connection with it, when there is no answer by then. */
export function queryWithin(
  timeoutMs: number,
  text: string,
  values: unknown[],
): pg.QueryConfig<unknown[]> {
  const config: pg.QueryConfig<unknown[]> & { query_timeout: number } = {
    text,
    values,
    query_timeout: timeoutMs,
  };
  return config;
}
