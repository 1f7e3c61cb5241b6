import pg from 'pg';
import { isEmbeddedAddress } from './embedded/embedded-address.ts';
import { recogniseConnection } from './pooler.ts';
import { settingsJson } from './session-settings.ts';

const INT8_OID = 20;

/**
 * Parses a bigint. Larger amounts than 2^53 are rejected on input, so one here is a broken
 * invariant.
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
  return value;
}

export interface PoolOptions {
  readonly connectionsMax: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** A longer statement is cancelled; 0 disables the limit. Default: a minute. */
  readonly statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * A server that is silent this long after a statement's time limit is considered dead: its machine
 * is down, or packets are dropped. TCP would wait a quarter of an hour.
 */
const SILENCE_MS = 1_000;

/**
 * Opens a pool. Connections are opened on demand. One that breaks while idle is removed. One that
 * breaks in use, or whose server is silent, rejects its query and is removed when released.
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, parseInt8);
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  // All clients share the one session of the embedded database, and no other code sets anything
  // there.
  const settings = isEmbeddedAddress(url) ? '[]' : settingsJson(statementTimeoutMs);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Not as parameters of the start, which PgBouncer refuses by default.
    verify: (client, done) => {
      recogniseConnection(client, settings)
        .then(() => done())
        .catch((error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
        });
    },
    // Rejects the query; the pool, or the code that holds the connection, then closes it. The URL
    // of the embedded database disables this limit (embedded-address.ts).
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MS }),
    keepAlive: true,
    allowExitOnIdle: false,
    types,
  });
  // An error event without a listener ends the process. Idle connections report to the pool;
  // connections in use, above all between two statements, emit their own event. Nothing is hidden:
  // a broken connection rejects every query.
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** A query that is given up after this time, together with its connection. */
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
