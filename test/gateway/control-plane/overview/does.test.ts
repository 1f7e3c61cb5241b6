import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import type { CreditKind } from '@weir/shared/money/credits';
import { addCredit } from '../../../../gateway/control-plane/credits/add-credit.ts';
import { PeriodicJobs } from '../../../../gateway/platform/telemetry/periodic-jobs.ts';
import { giveMoney, makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  const jobs = new PeriodicJobs(pino({ enabled: false }));
  jobs.start({ name: 'renew', everyMs: 3_600_000, run: () => Promise.resolve(true) });
  fixture = await createAdminFixture({
    jobs,
    drainStatus: () => Promise.resolve({ lagMs: 120, pending: 3 }),
    threadStatus: () => [{ name: 'http 0', state: 'running', restarts: 1, uptimeMs: 5_000 }],
  });
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('the overview', () => {
  it('joins traffic, spend, channels, ledger, drain and threads', async () => {
    const owner = await fixture.user();
    const { groupId, publicId } = await makeCatalog(fixture, admin);
    const keyId = (await makeKey(fixture, owner, groupId)).id;
    await giveMoney(fixture, { admin, to: owner, amountUsd: '50' });
    const channel = await fixture.ask('createChannel', {
      as: admin,
      body: { name: 'one', baseUrl: 'https://1.1.1.1/v1' },
    });
    const channelId = channel.reply.id;
    const record = { accountId: owner.accountId, keyId, groupId, model: publicId, channelId };
    await insertUsage(fixture.pool, [
      ...Array.from({ length: 9 }, () => ({ ...record, latencyMs: 100 })),
      { ...record, status: 'failed', costNanoUsd: 0, latencyMs: 1_000, firstByteMs: null },
    ]);
    const { reply } = await fixture.ask('getOverview', { as: admin });
    expect(reply).toMatchObject({
      traffic: { requests: 10, failures: 1, latencyMsP50: 100, firstByteMsP50: 200 },
      spend: { todayUsd: '0.063', monthUsd: '0.063', creditsMonthUsd: '50' },
      accounts: { total: 2, activeToday: 1, suspended: 0 },
      channels: [{ id: channelId, kind: 'openai', requests: 10, failures: 1, state: 'unknown' }],
      ledger: { reachable: true, error: null },
      drain: { lagMs: 120, pending: 3 },
      threads: [{ name: 'http 0', restarts: 1 }],
      jobs: [{ name: 'renew', lastSuccessAt: null, late: false, lastFailure: null }],
    });
    expect(reply.traffic.requestsPerSecond).toBeCloseTo(10 / reply.traffic.windowSeconds, 5);
  });

  it('takes off what was credited what went out again, and not what was bought with it', async () => {
    const other = await createAdminFixture();
    const boss = await other.admin();
    const { accountId } = await other.user();
    const credits: readonly (readonly [CreditKind, number])[] = [
      ['top_up', 50_000_000_000],
      ['refund', -3_500_000_000],
      // One that failed: the money was never gone, and is no new credit.
      ['refund', -20_000_000_000],
      ['refund', 20_000_000_000],
      ['chargeback', -10_000_000_000],
      ['adjustment', -1_000_000_000],
      ['plan_purchase', -8_000_000_000],
      ['recovered_usage', -2_000_000_000],
    ];
    for (const [index, [kind, amountNanoUsd]] of credits.entries()) {
      const entry = { entryId: `entry:${String(index)}`, reason: 'a reason', actor: 'system' };
      await addCredit(other.pool, { ...entry, accountId, amountNanoUsd, kind });
    }
    const { reply } = await other.ask('getOverview', { as: boss });
    expect(reply.spend.creditsMonthUsd).toBe('35.5');
    await other.close();
  });

  it('says when the ledger is away', async () => {
    const away = await createAdminFixture();
    away.ledger.probe = () => Promise.reject(new Error('no answer'));
    const boss = await away.admin();
    const { reply } = await away.ask('getOverview', { as: boss });
    expect(reply).toMatchObject({
      ledger: { reachable: false, error: 'no answer' },
      drain: null,
      threads: [],
    });
    expect(reply.traffic.latencyMsP95).toBeNull();
    await away.close();
  });
});

describe('the figures of a day', () => {
  it('are those of the latest 24 hours, with the same span of the week before', async () => {
    const fresh = await createAdminFixture();
    const boss = await fresh.admin();
    const owner = await fresh.user();
    const other = await fresh.user();
    const { groupId, publicId: model } = await makeCatalog(fresh, boss);
    const keyId = (await makeKey(fresh, owner, groupId)).id;
    await giveMoney(fresh, { admin: boss, to: owner, amountUsd: '50' });
    const request = (accountId: string, hoursAgo: number) => {
      const startedAtMs = Date.now() - hoursAgo * 3_600_000;
      const principal = senderOf({ accountId, keyId, groupId });
      return { startedAtMs, firstByteAtMs: startedAtMs + 120, principal, model };
    };
    await enterRequests(fresh.pool, [
      request(owner.accountId, 0),
      request(owner.accountId, 3),
      request(other.accountId, 3),
      request(owner.accountId, 7 * 24 + 5),
      // The first of all: before it, nothing is known of a week before.
      request(owner.accountId, 9 * 24),
    ]);
    const { trends } = (await fresh.ask('getOverview', { as: boss })).reply;
    expect(trends).toMatchObject({
      hasWeekBefore: true,
      requests: { value: 3, weekBefore: 1 },
      errorPercent: { value: 0, weekBefore: 0 },
      activeAccounts: { value: 2, weekBefore: 1 },
      credits: { value: '50', weekBefore: '0' },
      marginPercent: { value: null, weekBefore: null },
    });
    expect(trends.firstByteMsP50.value).toBeGreaterThan(100);
    expect(trends.requests.points).toHaveLength(24);
    expect(trends.marginPercent?.points).toHaveLength(7);
    await fresh.close();
  });

  it('say that there is nothing to compare with while the log is younger than a week', async () => {
    const { trends } = (await fixture.ask('getOverview', { as: admin })).reply;
    expect(trends).toMatchObject({ hasWeekBefore: false, requests: { weekBefore: null } });
    expect(trends.credits.weekBefore).toBeNull();
  });
});

describe('what a person has to see to', () => {
  it('is a firing alert, a low balance, an open refund; supporters see no upstream money', async () => {
    const fresh = await createAdminFixture();
    const boss = await fresh.admin();
    const support = await fresh.support();
    const body = { name: 'poor', baseUrl: 'https://openrouter.ai/api/v1' };
    const channelId = (await fresh.ask('createChannel', { as: boss, body })).reply.id;
    const rule = { kind: 'upstream_balance', name: 'money', belowUsd: '10' } as const;
    await fresh.ask('createAlertRule', { as: boss, body: rule });
    const jobs = { kind: 'job_not_run', name: 'jobs' } as const;
    const ruleId = (await fresh.ask('createAlertRule', { as: boss, body: jobs })).reply.id;
    await fresh.pool.query(
      `insert into upstream_balances (channel_id, balance_nano, currency, read_at, asked_at)
       values ($1, 9990000000, 'USD', now(), now())`,
      [channelId],
    );
    await fresh.pool.query(
      `insert into alert_states (rule_id, subject, name, since)
       values ($1, 'clean up', 'clean up', now() - interval '1 hour')`,
      [ruleId],
    );
    const { needs } = (await fresh.ask('getOverview', { as: boss })).reply;
    expect(needs).toMatchObject({
      alerts: [{ ruleId, ruleName: 'jobs', subject: 'clean up' }],
      lowBalances: [{ channelId, channelName: 'poor', balance: '9.99', currency: 'USD' }],
      openRefunds: 0,
      disputedOrders: 0,
    });
    const seen = (await fresh.ask('getOverview', { as: support })).reply;
    expect(seen.needs).toMatchObject({ alerts: [], lowBalances: [] });
    expect(seen.trends.marginPercent).toBeNull();
    await fresh.close();
  });
});
