import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/stores/postgres/migrate.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { runCommand } from '../../support/machine/command.ts';
import { fakeClock, type FakeClock } from '../../support/clocks/fake-clock.ts';
import { startFakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { until } from '../../support/clocks/hang.ts';
import { startPostgres } from '../../support/stores/postgres.ts';
import { startRedis } from '../../support/stores/redis.ts';
import { seed, TEST_SECRET_KEY, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';
import { startGate, type Gate } from '../data-plane/support/gate.ts';

const LEDGERS = ['redis', 'postgres'] as const;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** Requests that are with the upstream while a clock is set. */
const WAITING = 8;
/** Clients that ask all the time. */
const CLIENTS = 4;
/** Tolerance of a jump of a store's clock: the test's machine may be slow. */
const NEARLY_S = 60;
const MODEL = 'test-model';
const GATED_MODEL = 'gated-model';

interface Fixture {
  readonly weir: Weir;
  readonly pool: pg.Pool;
  readonly seeded: Seeded;
  /** A customer of a model whose upstream is behind the gate. */
  readonly gated: Seeded;
  readonly gate: Gate;
  /** The clocks of Weir, and of the server that is the ledger. */
  readonly machine: FakeClock;
  readonly store: FakeClock;
  readonly env: Readonly<Record<string, string>>;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function createFixture(ledger: (typeof LEDGERS)[number], offset = '+0'): Promise<Fixture> {
  const [machine, store] = [fakeClock(offset), fakeClock('+0')];
  closing.push(
    () => machine.remove(),
    () => store.remove(),
  );
  const postgres = await startPostgres(ledger === 'postgres' ? { env: store.env } : {});
  closing.push(() => postgres.stop());
  const env: Record<string, string> = {
    DATABASE_URL: postgres.url,
    SECRET_KEY: TEST_SECRET_KEY,
  };
  if (ledger === 'redis') {
    const redis = await startRedis({ appendonly: true, env: store.env });
    closing.push(() => redis.stop());
    env['REDIS_URL'] = redis.url;
  }
  const pool = openPool(postgres.url, { connectionsMax: 4, applicationName: 'test' });
  closing.push(() => pool.end());
  await migrate(pool);
  const upstream = await startFakeUpstream();
  const gate = await startGate(upstream.url);
  gate.pass();
  const seeded = await seed(pool, { upstreams: [upstream.url] });
  const gated = await seed(pool, {
    upstreams: [gate.url],
    models: [{ publicId: GATED_MODEL }],
  });
  const weir = await startWeir({
    ...env,
    ...machine.env,
    GATEWAY_THREADS: '2',
    LEDGER_TIMEOUT_MS: '50000',
    LOG_LEVEL: 'warn',
  });
  closing.push(async () => {
    await weir.end('SIGKILL');
    gate.close();
    await upstream.close();
  });
  return { weir, pool, seeded, gated, gate, machine, store, env };
}

interface Reply {
  readonly id: string;
  readonly status: number;
  readonly isWhole: boolean;
}

async function ask({ weir, seeded }: Fixture, stream: boolean, model = MODEL): Promise<Reply> {
  const response = await fetch(`${weir.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  const text = await response.text();
  return {
    id: response.headers.get('x-request-id') ?? '',
    status: response.status,
    isWhole: stream ? text.endsWith('data: [DONE]\n\n') : text.includes('"usage"'),
  };
}

/** Clients that ask without a pause until they are stopped. */
function startLoad(fixture: Fixture): { stop(): Promise<Reply[]> } {
  const replies: Reply[] = [];
  let stopping = false;
  const clients = Array.from({ length: CLIENTS }, async (_value, index) => {
    while (!stopping) replies.push(await ask(fixture, index % 2 === 0));
  });
  return {
    stop: async () => {
      stopping = true;
      await Promise.all(clients);
      return replies;
    },
  };
}

async function ready({ weir }: Fixture): Promise<{ status: number; reasons: string[] }> {
  const response = await fetch(`${weir.url}/ready`);
  const { reasons } = (await response.json()) as { reasons: string[] };
  return { status: response.status, reasons };
}

/** Seconds that the ledger's clock is ahead of Weir's, as /metrics says. */
async function difference({ weir, env }: Fixture): Promise<number> {
  const text = await (await fetch(`${weir.adminUrl}/metrics`)).text();
  const store = env['REDIS_URL'] === undefined ? 'PostgreSQL' : 'Redis';
  const name = `weir_clock_difference_seconds{store="${store}"} `;
  const line = text.split('\n').find((each) => each.startsWith(name)) ?? '';
  return Number(line.slice(name.length));
}

const untilDifference = (fixture: Fixture, seconds: number): Promise<true> =>
  until(`a difference of ${seconds} s`, async () => {
    return Math.abs((await difference(fixture)) - seconds) < NEARLY_S;
  });

interface Dates {
  readonly records: number;
  readonly astray: number;
  readonly odd: number;
}

/** Counts the records of these requests whose date differs from that of their settle. */
async function datesOf({ pool }: Fixture, ids: readonly string[]): Promise<Dates> {
  const { rows } = await pool.query<Dates>(
    `select count(*)::int as records,
       (count(*) filter (where abs(extract(epoch from settled_at - created_at)) > $2))::int as astray,
       (count(*) filter (where latency_ms < 0 or latency_ms > 3600000 or first_byte_ms < 0))::int as odd
     from usage_records where request_id = any($1)`,
    [ids, NEARLY_S],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a count has no row');
  return row;
}

/** Every reply in full is billed once, and the operator's command finds nothing. */
async function expectBooks(fixture: Fixture, replies: readonly Reply[]): Promise<void> {
  const whole = replies.filter(({ isWhole }) => isWhole).map(({ id }) => id);
  await until('every reply is billed', async () => {
    return (await datesOf(fixture, whole)).records === whole.length;
  });
  expect((await fixture.pool.query('select 1 from usage_rejected')).rowCount).toBe(0);
  expect(await runCommand('reconcile', [], fixture.env)).toMatchObject({ code: 0 });
}

const statusesOf = (replies: readonly Reply[]): Set<number> =>
  new Set(replies.map(({ status }) => status));

describe.each(LEDGERS)('with the ledger in %s', (ledger) => {
  it.each([
    ['-26h', 26 * HOUR_S, '26 h behind'],
    ['+70d', -70 * DAY_S, '70 days ahead of'],
  ])(
    'a gateway whose clock is set to %s bills by the clock of the ledger, and says why it is not ready',
    async (offset, seconds, words) => {
      const fixture = await createFixture(ledger, offset);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_value, index) => ask(fixture, index % 2 === 0)),
      );
      expect(statusesOf(replies)).toEqual(new Set([200]));
      await expectBooks(fixture, replies);
      const ids = replies.map(({ id }) => id);
      expect(await datesOf(fixture, ids)).toEqual({ records: 20, astray: 0, odd: 0 });
      const { rows } = await fixture.pool.query<{ days: number }>(
        `select count(distinct day)::int as days from usage_daily
       where abs(day - (now() at time zone 'UTC')::date) > 1`,
      );
      expect(rows).toEqual([{ days: 0 }]);

      const { status, reasons } = await ready(fixture);
      expect([status, reasons]).toEqual([503, [expect.stringContaining(words)]]);
      await untilDifference(fixture, seconds);
      expect(fixture.weir.output()).toMatch(/clock of this machine is (26 h|70 days)/);
      expect(fixture.weir.output()).not.toMatch(/broke an invariant/);
    },
  );

  it('nothing is lost or misdated when the clock of a gateway jumps under load', async () => {
    const fixture = await createFixture(ledger);
    const load = startLoad(fixture);
    const waited: Reply[] = [];
    for (const [offset, seconds] of [
      ['+1h', -HOUR_S],
      ['-1h', HOUR_S],
      ['+40d', -40 * DAY_S],
      ['-40d', 40 * DAY_S],
      ['+0', 0],
    ] as const) {
      const waiting = await heldBack(fixture);
      fixture.machine.set(offset);
      await untilDifference(fixture, seconds);
      const wanted = seconds === 0 ? 200 : 503;
      await until(`${wanted} at ${offset}`, async () => (await ready(fixture)).status === wanted);
      waited.push(...(await waiting.goOn()));
    }
    const replies = [...waited, ...(await load.stop())];
    expect(waited).toHaveLength(5 * WAITING);
    expect(statusesOf(replies)).toEqual(new Set([200]));
    await expectBooks(fixture, replies);
    const ids = replies.map(({ id }) => id);
    expect(await datesOf(fixture, ids)).toEqual({ records: ids.length, astray: 0, odd: 0 });
  });

  it('nothing is lost when the clock of the ledger jumps under load', async () => {
    const fixture = await createFixture(ledger);
    const load = startLoad(fixture);
    const waited: Reply[] = [];
    for (const [offset, seconds] of [
      ['+1h', HOUR_S],
      ['-1h', -HOUR_S],
      ['+40d', 40 * DAY_S],
      ['-40d', -40 * DAY_S],
      ['+0', 0],
    ] as const) {
      const waiting = await heldBack(fixture);
      fixture.store.set(offset);
      await untilDifference(fixture, seconds);
      waited.push(...(await waiting.goOn()));
      // What comes from now on has a date of the new time.
      expect(statusesOf([await ask(fixture, false), await ask(fixture, true)]), offset).toEqual(
        new Set([200]),
      );
    }
    const replies = [...waited, ...(await load.stop())];
    // For a second after a jump new requests may look old to the ledger.
    expect([...statusesOf(replies)].filter((status) => status !== 200 && status !== 503)).toEqual(
      [],
    );
    expect(statusesOf(waited)).toEqual(new Set([200]));
    await expectBooks(fixture, replies);
  });
});

/** Requests that wait at the upstream, until they may go on. */
async function heldBack(fixture: Fixture): Promise<{ goOn(): Promise<Reply[]> }> {
  const { gate, gated } = fixture;
  gate.shut();
  const replies = Promise.all(
    Array.from({ length: WAITING }, (_value, index) =>
      ask({ ...fixture, seeded: gated }, index % 2 === 0, GATED_MODEL),
    ),
  );
  await until('requests wait', () => gate.waiting() >= WAITING);
  return {
    goOn: async () => {
      gate.open();
      return replies;
    },
  };
}
