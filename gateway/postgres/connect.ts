import pg from 'pg';

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
}

/** Opens a pool. Connections are made when first needed; an idle connection that breaks is dropped, not thrown. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, parseInt8);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 60_000,
    keepAlive: true,
    allowExitOnIdle: false,
    types,
  });
  // Without a listener a server that closes an idle connection would end the process.
  pool.on('error', () => undefined);
  return pool;
}
