import type pg from 'pg';
import type { LedgerStore } from '../../gateway/ledger/ledger-store.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../gateway/stores/postgres/migrate.ts';
import { startFakeUpstream, type FakeUpstream } from '../support/upstreams/fake-upstream.ts';
import { startPostgres, type PostgresServer } from '../support/stores/postgres-server.ts';
import { startSilentProxy, type SilentProxy } from '../support/upstreams/silent-proxy.ts';
import { startWeir } from '../support/weir.ts';
import { startFaultRedis, type FaultRedis } from './stores/fault-redis.ts';
import { Random } from '../simulator/random.ts';
import { GatewaySlot } from './gateway-slot.ts';
import { startMedia, type Media } from './media/media-upstreams.ts';
import type { LedgerView } from './stores/ledger-view.ts';
import { PostgresLedgerView } from './stores/postgres-ledger-view.ts';
import { RedisLedgerView } from './stores/redis-ledger-view.ts';
import { accountIds, seedPayers, type Payers } from './seed-payers.ts';

/** Close to the least there may be: a hold whose gateway died must be back before a round ends. */
const HOLD_TTL_MS = 1_250;
const CLOSED_MEMORY_MS = 2 * 3_600_000;
const LEDGER_TIMEOUT_MS = 500;
/** Small slices, so that short streams extend their holds too. */
const STREAM_SLICE_TOKENS = 16;

/** Two gateways on one ledger and one PostgreSQL, all of them processes of this run's own. */
export interface FaultFixture {
  readonly store: LedgerStore;
  readonly postgres: PostgresServer;
  /** The second gateway reaches PostgreSQL through it, the first directly. */
  readonly network: SilentProxy;
  /** Null if PostgreSQL is the ledger. */
  readonly redis: FaultRedis | null;
  readonly ledger: LedgerView;
  readonly gateways: readonly GatewaySlot[];
  /** The ledger has opened none of their accounts when the run begins. */
  readonly payers: Payers;
  /** Fails only by being slow. */
  readonly steady: FakeUpstream;
  /** Breaks in every way there is. */
  readonly moody: FakeUpstream;
  /** Sells images, sound and realtime sessions. */
  readonly media: Media;
  /** For looking at the stores; no gateway uses it. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export async function createFaultFixture(store: LedgerStore, seed: number): Promise<FaultFixture> {
  // Commits must be in the log before they are acknowledged, or a killed PostgreSQL may forget them
  // by right.
  const postgres = await startPostgres({ fsync: true });
  const network = await startSilentProxy(postgres.url);
  const redis = store === 'redis' ? await startFaultRedis() : null;
  const [steady, moody] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  const pool = openPool(postgres.url, { connectionsMax: 4, applicationName: 'faults' });
  await migrate(pool);
  const payers = await seedPayers(pool, { steady: steady.url, moody: moody.url });
  const media = await startMedia(pool, new Random(seed));
  const ledger =
    redis === null ? new PostgresLedgerView(pool) : new RedisLedgerView(redis, pool, payers);
  const env = gatewayEnv(redis);
  const gateways = await Promise.all(
    [postgres.url, network.url].map((url, index) =>
      GatewaySlot.start(`gateway ${index + 1}`, () => startWeir({ ...env, DATABASE_URL: url })),
    ),
  );
  return {
    store,
    postgres,
    network,
    redis,
    ledger,
    gateways,
    payers,
    steady,
    moody,
    media,
    pool,
    close: async () => {
      await Promise.all(gateways.map((gateway) => gateway.end()));
      ledger.close();
      await pool.end();
      await network.stop();
      await Promise.all([steady.close(), moody.close(), media.close()]);
      await Promise.all([redis?.server.stop(), postgres.stop()]);
    },
  };
}

/** Returns the ids of all accounts that pay. */
export function accountIdsOf({ payers, media }: FaultFixture): readonly string[] {
  return [...accountIds(payers), ...media.accounts.map(({ id }) => id), media.speaker.id];
}

function gatewayEnv(redis: FaultRedis | null): Readonly<Record<string, string>> {
  return {
    ...(redis !== null && { REDIS_URL: redis.server.url }),
    LOG_LEVEL: 'info',
    GATEWAY_THREADS: '1',
    HOLD_TTL_MS: String(HOLD_TTL_MS),
    CLOSED_REQUEST_MEMORY_MS: String(CLOSED_MEMORY_MS),
    LEDGER_TIMEOUT_MS: String(LEDGER_TIMEOUT_MS),
    STREAM_SLICE_TOKENS: String(STREAM_SLICE_TOKENS),
  };
}
