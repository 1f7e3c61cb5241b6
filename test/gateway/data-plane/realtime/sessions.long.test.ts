import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { readFunds } from '../../../support/ledger/read-funds.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import type { Seeded } from '../../../support/seed.ts';
import {
  startRealtimeVendor,
  type RealtimeVendor,
} from '../../../support/upstreams/realtime-vendor.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';
import { RealtimeClient } from './support/realtime-client.ts';
import { randomUsage } from './support/random-usage.ts';
import { PER_SECOND, seedVoices, TURN_COST } from './support/realtime-service.ts';

vi.setConfig({ testTimeout: 4 * HANG_MS });

const CREDIT = 1_000_000_000_000;
const REPLIES = 40;
const IDLE_SESSIONS = 1_000;
/** Far above what is measured; a session that keeps its last event would exceed it. */
const BYTES_PER_SESSION_MAX = 64 * 1024;
const HOLD_TTL_MS = 10_000;

type Vendor = RealtimeVendor & { close(): Promise<void> };

let database: TestDatabase;
let pool: pg.Pool;
let vendor: Vendor;
let seeded: Seeded;
let redis: RedisClient;
let env: Record<string, string>;
let weir: Weir;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  vendor = await startRealtimeVendor();
  seeded = await seedVoices(pool, [vendor.url], CREDIT);
  const url = await redisUrl();
  redis = connectRedis(url);
  await redis.connect();
  env = {
    ...{ DATABASE_URL: database.url, REDIS_URL: url, LOG_LEVEL: 'warn', GATEWAY_THREADS: '1' },
    ...{ HOLD_TTL_MS: String(HOLD_TTL_MS), LEDGER_TIMEOUT_MS: '4000' },
    WEBSOCKETS_PER_ACCOUNT_MAX: '2000',
  };
  weir = await startWeir(env);
});

afterAll(async () => {
  await weir.end('SIGKILL');
  redis.disconnect();
  await vendor.close();
  await pool.end();
  await database.drop();
});

const open = (): Promise<RealtimeClient> => RealtimeClient.open(weir.url, { key: seeded.key });

/** Returns the spend, once nothing is held and every record has been drained. */
async function spent(records: number): Promise<number> {
  await until('the end of every hold', async () => {
    const funds = await readFunds(redis, seeded.accountId);
    return funds?.inFlight === 0 && funds.held === 0;
  });
  await until('every record', async () => (await book()).records >= records);
  const { records: found, cost } = await book();
  expect(found).toBe(records);
  const funds = await readFunds(redis, seeded.accountId);
  expect(funds).toMatchObject({ owed: 0, available: CREDIT - cost });
  return cost;
}

async function book(): Promise<{ readonly records: number; readonly cost: number }> {
  const { rows } = await pool.query<{ records: number; cost: number }>(
    `select count(distinct request_id)::int as records, coalesce(sum(cost_nano_usd), 0)::float8 as cost
     from usage_records where account_id = $1`,
    [seeded.accountId],
  );
  return rows[0] ?? { records: 0, cost: 0 };
}

/** Numbers that are the same in every run. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state % below;
  };
}

it('a conversation of 40 replies, each of another size, is 40 bills that are equal to the reports', async () => {
  const next = seededRandom(20_261_128);
  const session = await open();
  const transcription = { model: 'hear' };
  session.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { transcription } } },
  });
  await session.next('session.updated');
  let expected = 0;
  for (let reply = 0; reply < REPLIES; reply += 1) {
    const { usage, cost } = randomUsage(next);
    vendor.reply.usage = usage;
    vendor.reply.soundMs = next(3_000);
    const seconds = 1 + next(12);
    vendor.transcriptUsage = { type: 'duration', seconds };
    expected += cost + seconds * PER_SECOND;
    const audio = Buffer.alloc(48 * 1_000 * seconds).toString('base64');
    session.send({ type: 'input_audio_buffer.append', audio });
    session.send({ type: 'input_audio_buffer.commit' });
    session.send({ type: 'response.create' });
    await session.next('response.done');
  }
  await session.close();
  expect(await spent(2 * REPLIES)).toBe(expected);
});

it('a gateway that is killed in a reply charges nothing for it, and its hold expires', async () => {
  const before = await book();
  vendor.reset();
  vendor.reply.waitsAt = 'delta';
  const session = await open();
  session.send({ type: 'response.create' });
  await session.next('response.output_audio_transcript.delta');
  await until('the hold', async () => (await readFunds(redis, seeded.accountId))?.inFlight === 1);
  await weir.end('SIGKILL');
  await session.untilClosed();
  vendor.reset();
  weir = await startWeir(env);
  expect(await spent(before.records)).toBe(before.cost);
  const again = await open();
  again.send({ type: 'response.create' });
  await again.next('response.done');
  await again.close();
  expect(await spent(before.records + 1)).toBe(before.cost + TURN_COST);
});

it(`keeps ${IDLE_SESSIONS} idle sessions in little memory each`, async () => {
  vendor.reset();
  const warm = await Promise.all(Array.from({ length: 50 }, open));
  const beforeBytes = weir.residentBytes();
  const sessions: RealtimeClient[] = [];
  while (sessions.length < IDLE_SESSIONS) {
    sessions.push(...(await Promise.all(Array.from({ length: 50 }, open))));
  }
  const bytes = (weir.residentBytes() - beforeBytes) / IDLE_SESSIONS;
  process.stdout.write(`An idle session takes ${Math.round(bytes / 1_024)} KiB.\n`);
  expect(bytes).toBeLessThan(BYTES_PER_SESSION_MAX);
  // All of them are alive.
  const last = sessions.at(-1);
  last?.send({ type: 'response.create' });
  await last?.next('response.done');
  await Promise.all([...warm, ...sessions].map((session) => session.close()));
  await vendor.until(() => vendor.open === 0);
});
