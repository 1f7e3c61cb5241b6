import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_BYTE_BOUNDS_MS, type TrafficQuery } from '@weir/shared/watch/operations';
import { quantile } from '../../../../gateway/control-plane/traffic/histogram.ts';
import { tokens } from '../../request-history/support/summary.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON_MS = Date.UTC(2026, 2, 4, 12);
const SERVED_BY = '01a1fd85-7715-7fed-a767-b935f6226f94';
const FAILED_AT = '01a1fd85-7715-7fed-a767-b935f6226f00';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let other: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  other = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  const { groupId, publicId: model } = catalog;
  const keyId = (await makeKey(fixture, owner, groupId)).id;
  const principal = senderOf({ accountId: owner.accountId, keyId, groupId });
  const others = senderOf({ accountId: other.accountId, keyId, groupId });
  const oom = {
    ...{ number: 1, channelId: FAILED_AT, upstreamStatus: 502, failure: null },
    ...{ message: 'out of memory', startedMs: 3, durationMs: 40 },
  };
  const fast = Array.from({ length: 9 }, (_value, index) => {
    const startedAtMs = NOON_MS + index;
    const firstByteAtMs = startedAtMs + 120;
    return { startedAtMs, firstByteAtMs, principal, model, durationMs: 1_120 };
  });
  const slow = { startedAtMs: NOON_MS + 10, firstByteAtMs: NOON_MS + 10 + 1_800 };
  await enterRequests(fixture.pool, [
    ...fast,
    { ...slow, principal, model, durationMs: 2_800, attempts: 2, failedAttempts: [oom] },
    {
      ...{ startedAtMs: NOON_MS + HOUR_MS, principal: others, model, channelId: null },
      ...{ status: 'failed', httpStatus: 429, refused: 'rate_limit_exceeded', tokens: null },
      ...{ firstByteAtMs: null, costNanoUsd: 0, attempts: 0 },
    },
    {
      ...{ startedAtMs: NOON_MS + HOUR_MS, principal: others, model },
      ...{ status: 'client_disconnected', tokens: tokens(1, 1), costNanoUsd: 500 },
    },
  ]);
});
afterAll(() => fixture.close());

async function traffic(query: TrafficQuery = {}) {
  const from = new Date(NOON_MS - HOUR_MS).toISOString();
  const to = new Date(NOON_MS + 2 * HOUR_MS).toISOString();
  const answered = await fixture.ask('getTraffic', { as: admin, query: { from, to, ...query } });
  return answered.reply;
}

describe('the traffic', () => {
  it('is summed by hour, with times to the first token and the speed of streams', async () => {
    const { step, points, total } = await traffic();
    expect(step).toBe('hour');
    expect(points).toMatchObject([
      {
        startsAt: new Date(NOON_MS).toISOString(),
        requests: 10,
        failed: 0,
        failedAttempts: 1,
        inputTokens: 100,
        outputTokens: 500,
        costUsd: '0.00001',
        // Fifty tokens in a second each.
        streamTokensPerSecond: 50,
      },
      { startsAt: new Date(NOON_MS + HOUR_MS).toISOString(), requests: 2, failed: 1 },
    ]);
    expect(points[0]?.firstByteMsP50).toBeGreaterThan(100);
    expect(points[0]?.firstByteMsP50).toBeLessThanOrEqual(150);
    expect(points[0]?.firstByteMsP95).toBeGreaterThan(1_500);
    expect(points[0]?.firstByteMsP95).toBeLessThanOrEqual(2_000);
    // Nine requests of 1,120 ms and one of 2,800.
    expect(points[0]?.durationMsP95).toBeGreaterThan(2_000);
    expect(points[0]?.durationMsP95).toBeLessThanOrEqual(3_000);
    expect(total).toMatchObject({ requests: 12, failed: 1, costUsd: '0.0000105' });
  });

  it('is summed by day over months', async () => {
    const from = '2026-01-01T00:00:00Z';
    const to = '2026-04-01T00:00:00Z';
    const { step, points } = await traffic({ from, to });
    expect(step).toBe('day');
    expect(points).toMatchObject([{ startsAt: '2026-03-04T00:00:00.000Z', requests: 12 }]);
  });

  it('is split by model, group, code, customer and channel', async () => {
    const whole = await traffic();
    expect(whole.steps).toEqual(whole.points);
    const parts = async (by: NonNullable<TrafficQuery['by']>) => {
      const { totals, steps } = await traffic({ by });
      if (by !== 'account') expect(steps).toEqual(whole.points);
      return totals.map(({ of, requests }) => [of, requests]);
    };
    expect(await parts('model')).toEqual([[catalog.publicId, 12]]);
    expect(await parts('group')).toEqual([[catalog.groupId, 12]]);
    expect(await parts('code')).toEqual([
      ['client_disconnected', 1],
      ['rate_limit_exceeded', 1],
      [null, 10],
    ]);
    expect(await parts('account')).toEqual([
      [owner.accountId, 10],
      [other.accountId, 2],
    ]);
    // The channel where an attempt failed has served none.
    expect(await parts('channel')).toEqual([
      [SERVED_BY, 11],
      [FAILED_AT, 0],
      [null, 1],
    ]);
    const { totals } = await traffic({ by: 'channel' });
    expect(totals.find(({ of }) => of === FAILED_AT)).toMatchObject({ failedAttempts: 1 });
    const { totals: accounts } = await traffic({ by: 'account' });
    expect(accounts[0]?.label).toBe(owner.email);
    expect(accounts[0]?.firstByteMsP50).toBeGreaterThan(100);
    expect(accounts[0]?.durationMsP95).toBeGreaterThan(2_000);
  });

  it('lists every channel, also those with less traffic than twenty others', async () => {
    const startedAtMs = NOON_MS - DAY_MS;
    const channelIds = Array.from({ length: 30 }, () => randomUUID());
    await enterRequests(
      fixture.pool,
      channelIds.flatMap((channelId, index) =>
        Array.from({ length: 30 - index }, () => ({ startedAtMs, channelId })),
      ),
    );
    const from = new Date(startedAtMs).toISOString();
    const to = new Date(startedAtMs + HOUR_MS).toISOString();
    const { totals, points } = await traffic({ by: 'channel', from, to });
    expect(totals.map(({ of }) => of)).toEqual(channelIds);
    // A chart with more lines cannot be read.
    expect(points.length).toBe(21);
  });

  it('is that of one model, channel, group or customer when it is asked for', async () => {
    expect((await traffic({ model: catalog.publicId })).total.requests).toBe(12);
    expect((await traffic({ model: 'other' })).total.requests).toBe(0);
    expect((await traffic({ channelId: FAILED_AT })).total).toMatchObject({ failedAttempts: 1 });
    expect((await traffic({ groupId: catalog.groupId, by: 'code' })).total.requests).toBe(12);
    expect((await traffic({ accountId: other.accountId, by: 'code' })).total.requests).toBe(2);
  });

  it('is empty, not refused, where there is none', async () => {
    const from = '2025-01-01T00:00:00Z';
    const { points, totals, total } = await traffic({ from, to: '2025-01-02T00:00:00Z' });
    expect([points, totals]).toEqual([[], []]);
    expect(total).toMatchObject({
      requests: 0,
      firstByteMsP50: null,
      durationMsP95: null,
      costUsd: '0',
    });
  });

  it.each([
    ['/admin/traffic?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'before it begins'],
    ['/admin/traffic?from=2020-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'at most 731 days'],
    ['/admin/traffic?by=account&model=m', 'not split by model'],
    ['/admin/traffic?by=weather', 'by'],
  ])('is refused to %s with words that tell what to send', async (path, words) => {
    const { statusCode, body } = await fixture.app.inject({
      url: `/api/v1${path}`,
      headers: { cookie: admin.cookie },
    });
    expect([statusCode, body]).toEqual([400, expect.stringContaining(words)]);
  });
});

describe('a quantile', () => {
  const bounds = [10, 20, 40];
  it.each([
    [[0, 0, 0, 0], 0.5, null],
    [[10, 0, 0, 0], 0.5, 5],
    [[0, 10, 0, 0], 0.5, 15],
    [[5, 0, 5, 0], 0.5, 10],
    [[0, 0, 0, 4], 0.95, 40],
    [[1, 1, 1, 1], 0.95, 40],
  ])('of %j at %d is %s', (counts, share, value) => {
    expect(quantile(counts, share, bounds)).toBe(value);
  });

  it('has the bounds that PostgreSQL counts by', async () => {
    for (const [index, bound] of FIRST_BYTE_BOUNDS_MS.entries()) {
      const { rows } = await fixture.pool.query<{ below: number; at: number }>(
        'select first_byte_bucket($1) as below, first_byte_bucket($2) as at',
        [bound - 1, bound],
      );
      expect(rows).toEqual([{ below: index, at: index + 1 }]);
    }
  });
});
