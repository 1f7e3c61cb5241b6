import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MarginQuery } from '@weir/shared/prices/margins';
import { MARGIN_ROWS_MAX } from '@weir/shared/prices/margins';
import type { UsageRecord } from '@weir/shared/watch/usage-record';
import { sumMargins } from '../../../../gateway/control-plane/margins/margin-sums.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let ids: { readonly accountId: string; readonly keyId: string; readonly groupId: string };
let channelId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user('owner@example.org');
  const { groupId } = await makeCatalog(fixture, admin);
  const { id: keyId } = await makeKey(fixture, owner, groupId);
  ids = { accountId: owner.accountId, keyId, groupId };
  const body = { name: 'an upstream', baseUrl: 'https://8.8.8.8/v1' };
  channelId = (await fixture.ask('createChannel', { as: admin, body })).reply.id;
});
beforeEach(() =>
  fixture.pool.query('truncate usage_records, usage_daily, margin_sums, margin_entries'),
);
afterAll(() => fixture.close());

type Entered = Partial<UsageRecord> & Partial<Parameters<typeof insertUsage>[1][number]>;

/** Each costs the customer 7 million nanodollars unless it says otherwise. */
const enter = (records: readonly Entered[]) =>
  insertUsage(
    fixture.pool,
    records.map((record) => ({ ...ids, model: 'm', channelId, ...record })),
  );
const margins = async (query: MarginQuery = {}) =>
  (await fixture.ask('getMargins', { as: admin, query })).reply;

const today = () => new Date().toISOString().slice(0, 10);

describe('the margin', () => {
  it('is revenue less cost of the requests whose cost is known, and says how many are not', async () => {
    await enter([
      { upstreamCostNanoUsd: 5_000_000 },
      { upstreamCostNanoUsd: 5_600_001 },
      {},
      { channelId: null, costNanoUsd: 1_000_000 },
    ]);
    const { total } = await margins();
    expect(total).toEqual({
      requests: 4,
      revenueUsd: '0.022',
      fromSubscriptionUsd: '0',
      uncollectedUsd: '0',
      unknownRequests: 2,
      unknownRevenueUsd: '0.008',
      knownRevenueUsd: '0.014',
      upstreamCostUsd: '0.010600001',
      profitUsd: '0.003399999',
      marginPercent: 24.2,
    });
  });

  it('is a loss where an abandoned request cost something', async () => {
    await enter([{ status: 'client_disconnected', costNanoUsd: 0, upstreamCostNanoUsd: 300 }]);
    const { total } = await margins();
    expect(total).toMatchObject({ revenueUsd: '0', profitUsd: '-0.0000003', marginPercent: null });
  });

  it('knows a cost of nothing from one that nobody knows', async () => {
    await enter([{ upstreamCostNanoUsd: 0 }]);
    const { total } = await margins();
    expect(total).toMatchObject({ unknownRequests: 0, upstreamCostUsd: '0', marginPercent: 100 });
  });

  it('counts what plans paid at the price of the request, and not what nobody paid', async () => {
    const plan = { id: randomUUID(), startedAtMs: Date.now(), amountNanoUsd: 4_000_000 };
    await fixture.pool.query(
      `insert into plans (id, name, price_nano_usd) values ($1, 'plan', 0)`,
      [plan.id],
    );
    await fixture.pool.query(
      `insert into subscriptions (id, account_id, plan_id, started_at, ends_at, allowances, group_ids)
       values ($1, $2, $1, now(), now() + interval '1 day', '[]', '{}')`,
      [plan.id, ids.accountId],
    );
    await enter([
      {
        upstreamCostNanoUsd: 1_000_000,
        balanceNanoUsd: 2_000_000,
        subscriptions: [plan],
        uncollectedNanoUsd: 1_000_000,
      },
    ]);
    const { total } = await margins();
    expect(total).toMatchObject({
      revenueUsd: '0.006',
      fromSubscriptionUsd: '0.004',
      uncollectedUsd: '0.001',
      profitUsd: '0.005',
    });
  });

  it('is told by day, model, channel and customer, of a free range', async () => {
    const now = Date.now();
    const other = await fixture.user('other@example.org');
    await enter([
      { createdAtMs: now, model: 'one', upstreamCostNanoUsd: 1_000_000 },
      {
        createdAtMs: now - DAY_MS,
        model: 'two',
        upstreamCostNanoUsd: 2_000_000,
        costNanoUsd: 9_000_000,
      },
      { createdAtMs: now - 40 * DAY_MS, model: 'old', upstreamCostNanoUsd: 3_000_000 },
      { accountId: other.accountId, model: 'two', channelId: null },
    ]);
    const rows = async (query: MarginQuery) =>
      (await margins(query)).data.map(({ of, label, requests, profitUsd }) => ({
        of,
        label,
        requests,
        profitUsd,
      }));
    const yesterday = new Date(now - DAY_MS).toISOString().slice(0, 10);
    expect(await rows({})).toEqual([
      { of: yesterday, label: null, requests: 1, profitUsd: '0.007' },
      { of: today(), label: null, requests: 2, profitUsd: '0.006' },
    ]);
    expect(await rows({ by: 'model' })).toEqual([
      { of: 'two', label: null, requests: 2, profitUsd: '0.007' },
      { of: 'one', label: null, requests: 1, profitUsd: '0.006' },
    ]);
    expect(await rows({ by: 'channel' })).toEqual([
      { of: channelId, label: 'an upstream', requests: 2, profitUsd: '0.013' },
      { of: null, label: null, requests: 1, profitUsd: '0' },
    ]);
    expect(await rows({ by: 'account' })).toMatchObject([
      { of: ids.accountId, label: 'owner@example.org' },
      { of: other.accountId, label: 'other@example.org' },
    ]);
    const long = new Date(now - 60 * DAY_MS).toISOString().slice(0, 10);
    expect((await margins({ from: long })).total.requests).toBe(4);
    expect((await margins({ from: yesterday, to: yesterday })).total.requests).toBe(1);
    expect((await margins({ model: 'two', by: 'channel' })).total.requests).toBe(2);
    expect((await margins({ channelId })).total.requests).toBe(2);
    expect((await margins({ accountId: other.accountId })).total.requests).toBe(1);
  });

  it('is the same before and after its sums are put together, and for late records', async () => {
    await enter([{ upstreamCostNanoUsd: 5_000_000 }, {}]);
    const before = await margins({ by: 'channel' });
    await sumMargins(fixture);
    expect(await margins({ by: 'channel' })).toEqual(before);
    const { rows } = await fixture.pool.query('select 1 from margin_entries');
    expect(rows).toEqual([]);
    await enter([{ upstreamCostNanoUsd: 5_000_000 }, { channelId: null }]);
    await sumMargins(fixture);
    await sumMargins(fixture);
    expect((await margins()).total).toMatchObject({ requests: 4, unknownRequests: 2 });
  });

  it('counts a record once that is entered twice', async () => {
    const requestId = randomUUID();
    const createdAtMs = Date.now();
    const record = { requestId, createdAtMs, upstreamCostNanoUsd: 5_000_000 };
    await enter([record]);
    await enter([record]);
    expect((await margins()).total.requests).toBe(1);
  });

  it('has all that is beyond its rows in one more, and every row in the file', async () => {
    const count = MARGIN_ROWS_MAX + 3;
    await enter(
      Array.from({ length: count }, (_value, index) => ({
        model: `model-${String(index).padStart(3, '0')}`,
        costNanoUsd: 1_000_000_000 - index,
        upstreamCostNanoUsd: 1,
      })),
    );
    const { data, total } = await margins({ by: 'model' });
    expect(data).toHaveLength(MARGIN_ROWS_MAX + 1);
    expect(data.at(-1)).toMatchObject({ isRest: true, of: null, requests: 3 });
    expect(total.requests).toBe(count);
    const file = await fixture.ask('exportMargins', { as: admin, query: { by: 'model' } });
    expect(file.text.trim().split('\r\n')).toHaveLength(count + 1);
  });
});

describe('the file', () => {
  it('has the same as the page', async () => {
    await enter([{ upstreamCostNanoUsd: 5_000_000 }, { upstreamCostNanoUsd: 9_000_000 }, {}]);
    const file = await fixture.ask('exportMargins', { as: admin, query: { by: 'channel' } });
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.text.replace('\uFEFF', '').split('\r\n')).toEqual([
      'channel,name,requests,revenue_usd,from_subscription_usd,uncollected_usd,unknown_requests,unknown_revenue_usd,known_revenue_usd,upstream_cost_usd,profit_usd,margin_percent',
      `${channelId},an upstream,3,0.021,0,0,1,0.007,0.014,0.014,0,0`,
      '',
    ]);
  });
});

describe('a range', () => {
  it.each([
    [{ from: '2026-02-02', to: '2026-02-01' }],
    [{ from: '2020-01-01', to: '2026-02-01' }],
    [{ from: 'yesterday' }],
    [{ by: 'key' }],
  ])('%j is refused', async (query) => {
    const answered = await fixture.ask('getMargins', { as: admin, query });
    expect(answered.status).toBe(400);
  });
});

describe('what upstreams cost', () => {
  const ROUTES = [
    'getMargins',
    'exportMargins',
    'listUpstreamBalances',
    'readUpstreamBalance',
    'getUpstreamPrices',
    'updateUpstreamPrices',
  ] as const;

  it.each(ROUTES)('is not told to supporters and customers by %s', async (route) => {
    const support = await fixture.support();
    const params = { channelId };
    const body = route === 'updateUpstreamPrices' ? { body: { factor: '1' } } : {};
    for (const as of [support, owner]) {
      const answered = await fixture.ask(route, { as, params, ...body });
      expect(answered.problem.code).toBe('role_required');
    }
  });

  it('is in nothing that a customer or a supporter can read', async () => {
    const [requestId = ''] = await enter([{ upstreamCostNanoUsd: 1_234_567 }]);
    const params = { requestId };
    const support = await fixture.support();
    const seen = await Promise.all([
      fixture.ask('listOwnUsageRecords', { as: owner }),
      fixture.ask('getOwnUsageRecord', { as: owner, params }),
      fixture.ask('exportOwnUsage', { as: owner }),
      fixture.ask('listOwnUsageDays', { as: owner, query: { by: 'model' } }),
      fixture.ask('getOwnUsageSummary', { as: owner }),
      fixture.ask('getOwnStatement', { as: owner, params: { month: today().slice(0, 7) } }),
      fixture.ask('getPricing'),
      fixture.ask('listUsageRecords', { as: support }),
      fixture.ask('exportUsage', { as: support }),
      fixture.ask('listUsageDays', { as: support }),
      fixture.ask('getOverview', { as: support }),
      fixture.ask('getTraffic', { as: support }),
    ]);
    for (const { status, text } of seen) {
      expect(status).toBe(200);
      expect(text).not.toContain('1234567');
      // The overview has a place for it, which is empty for supporters.
      const shown = text.replace('"marginPercent":null', '');
      expect(shown).not.toMatch(/0\.001234567|upstream_?cost|upstreamPrice|profit|margin/i);
    }
  });
});
