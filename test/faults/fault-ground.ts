import type pg from 'pg';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../gateway/stores/postgres/migrate.ts';
import { connectRedis, type RedisClient } from '../../gateway/stores/redis/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../support/fake-upstream.ts';
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts';
import { startRedis, type RedisServer } from '../support/redis-server.ts';
import { startWeir } from '../support/weir.ts';
import { AppendLog } from './append-log.ts';
import { GatewaySlot } from './gateway-slot.ts';
import { seedPayers, type Payers } from './seed-payers.ts';

/** Close to the least there may be: a hold whose gateway died must be back before a round ends. */
const HOLD_TTL_MS = 1_250;
const CLOSED_MEMORY_MS = 2 * 3_600_000;
const LEDGER_TIMEOUT_MS = 500;
/** Small slices, so that short streams extend their holds too. */
const STREAM_SLICE_TOKENS = 16;
const GATEWAYS = 2;

/** Two gateways on one Redis and one PostgreSQL, all of them processes of this run's own. */
export interface FaultGround {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly appendLog: AppendLog;
  readonly gateways: readonly GatewaySlot[];
  readonly payers: Payers;
  /** Fails only by being slow. */
  readonly steady: FakeUpstream;
  /** Breaks in every way there is. */
  readonly moody: FakeUpstream;
  /** For looking at the stores; no gateway uses them. */
  readonly pool: pg.Pool;
  readonly client: RedisClient;
  close(): Promise<void>;
}

export async function layFaultGround(): Promise<FaultGround> {
  // Commits must be in the log before they are acknowledged, or a killed PostgreSQL may forget them
  // by right.
  const postgres = await startPostgres({ fsync: true });
  const redis = await startRedis({
    appendonly: true,
    appendfsync: 'everysec',
    // A rewritten file would have other offsets than those that were noted.
    config: { 'auto-aof-rewrite-percentage': '0' },
  });
  const [steady, moody] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  const pool = openPool(postgres.url, { connectionsMax: 4, applicationName: 'faults' });
  await migrate(pool);
  const payers = await seedPayers(pool, { steady: steady.url, moody: moody.url });
  const client = connectRedis(redis.url);
  await client.connect();
  const appendLog = await AppendLog.watch(client);
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'info',
    GATEWAY_THREADS: '1',
    HOLD_TTL_MS: String(HOLD_TTL_MS),
    CLOSED_REQUEST_MEMORY_MS: String(CLOSED_MEMORY_MS),
    LEDGER_TIMEOUT_MS: String(LEDGER_TIMEOUT_MS),
    STREAM_SLICE_TOKENS: String(STREAM_SLICE_TOKENS),
  };
  const gateways = await Promise.all(
    Array.from({ length: GATEWAYS }, (_value, index) =>
      GatewaySlot.start(`gateway ${index + 1}`, () => startWeir(env)),
    ),
  );
  return {
    postgres,
    redis,
    appendLog,
    gateways,
    payers,
    steady,
    moody,
    pool,
    client,
    close: async () => {
      await Promise.all(gateways.map((gateway) => gateway.end()));
      appendLog.stop();
      client.disconnect();
      await pool.end();
      await Promise.all([steady.close(), moody.close(), redis.stop(), postgres.stop()]);
    },
  };
}
