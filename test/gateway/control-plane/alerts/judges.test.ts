import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AlertRuleCreate } from '@weir/shared/watch/alerts';
import { evaluateAlerts } from '../../../../gateway/control-plane/alerts/judges/evaluate-alerts.ts';
import { giveMoney, makeCatalog, makeKey, makeRichUser, type Catalog } from '../support/catalog.ts';
import { jobContext, report } from '../support/context.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let channelId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  const body = { name: 'a channel', baseUrl: 'https://8.8.8.8/v1' };
  channelId = (await fixture.ask('createChannel', { as: admin, body })).reply.id;
});
beforeEach(async () => {
  await fixture.pool.query('truncate process_reports');
  await fixture.pool.query('delete from alert_rules');
  await fixture.pool.query('delete from alert_events');
});
afterAll(() => fixture.close());

async function makeRule(rule: Partial<AlertRuleCreate> & Pick<AlertRuleCreate, 'kind'>) {
  const body = { name: randomUUID(), cooldownMinutes: 0, ...rule };
  return (await fixture.ask('createAlertRule', { as: admin, body })).reply;
}

/** Judges all rules, and answers what was told by that. */
async function judge() {
  await fixture.pool.query('delete from alert_events');
  await evaluateAlerts(await jobContext(fixture));
  const { data } = (await fixture.ask('listAlertEvents', { as: admin })).reply;
  return data.map(({ kind, subjects }) => ({ kind, subjects }));
}

const told = (kind: string, id: string, value: string) => [
  { kind, subjects: [expect.objectContaining({ id, value }) as unknown] },
];

describe('a rule about channels', () => {
  const channel = (attempts: number, failures: number, state: 'closed' | 'open' = 'closed') => [
    { channelId, attempts, failures, state },
  ];

  it('is true while a gateway avoids the channel, whichever gateway that is', async () => {
    await makeRule({ kind: 'channel_failing' });
    const [one, other] = [randomUUID(), randomUUID()];
    await report(fixture, one, { channels: channel(9, 0) });
    expect(await judge()).toEqual([]);
    await report(fixture, other, { channels: channel(2, 2, 'open') });
    expect(await judge()).toEqual(told('fired', channelId, '2/11'));
    await report(fixture, other, { channels: channel(3, 2) });
    expect(await judge()).toEqual(told('resolved', channelId, '2/12'));
  });

  it('is true of a channel whose every attempt failed, and stays true when nobody tries it any more', async () => {
    await makeRule({ kind: 'channel_failing' });
    const gateway = randomUUID();
    await report(fixture, gateway, { secondsAgo: 400, channels: channel(50, 0) });
    await report(fixture, gateway, { secondsAgo: 10, channels: channel(54, 4) });
    expect(await judge()).toEqual(told('fired', channelId, '4/4'));
    await fixture.pool.query("update process_reports set at = at - interval '10 minutes'");
    await report(fixture, gateway, { channels: channel(54, 4) });
    expect(await judge()).toEqual([]);
    await fixture.pool.query(
      `insert into channel_tests (id, channel_id, ok, upstream_name, latency_ms)
       values ($1, $2, true, 'm', 1)`,
      [randomUUID(), channelId],
    );
    expect(await judge()).toEqual(told('resolved', channelId, '0/0'));
  });

  it('is over once the channel is disabled', async () => {
    await makeRule({ kind: 'channel_failing', channelId });
    await report(fixture, randomUUID(), { channels: channel(3, 3, 'open') });
    expect(await judge()).toHaveLength(1);
    await fixture.pool.query(`update channels set status = 'disabled'`);
    expect(await judge()).toMatchObject([{ kind: 'resolved' }]);
    await fixture.pool.query(`update channels set status = 'active'`);
  });
});

describe('a rule about errors', () => {
  it('counts the window alone, of all gateways, also of one that began within it', async () => {
    await makeRule({ kind: 'error_rate', percent: 10, windowMinutes: 5 });
    const [old, young] = [randomUUID(), randomUUID()];
    await report(fixture, old, { secondsAgo: 900, requests: 1_000, failures: 900 });
    await report(fixture, old, { secondsAgo: 310, requests: 2_000, failures: 1_000 });
    await report(fixture, old, { secondsAgo: 5, requests: 2_060, failures: 1_005 });
    expect(await judge()).toEqual([]);
    await report(fixture, young, { secondsAgo: 3, requests: 40, failures: 5 });
    expect(await judge()).toEqual(told('fired', 'requests', '10 % (10/100)'));
    await report(fixture, young, { requests: 240, failures: 5 });
    expect(await judge()).toEqual(told('resolved', 'requests', '3.3 % (10/300)'));
  });

  it('says nothing of a handful of requests', async () => {
    await makeRule({ kind: 'error_rate', percent: 10, requestsMin: 50 });
    await report(fixture, randomUUID(), { requests: 49, failures: 49 });
    expect(await judge()).toEqual([]);
  });

  it('counts the attempts of one channel', async () => {
    await makeRule({ kind: 'error_rate', percent: 50, channelId });
    const channels = [
      { channelId, attempts: 20, failures: 10, state: 'closed' as const },
      { channelId: randomUUID(), attempts: 900, failures: 0, state: 'closed' as const },
    ];
    await report(fixture, randomUUID(), { requests: 900, channels });
    expect(await judge()).toEqual(told('fired', channelId, '50 % (10/20)'));
  });
});

describe('a rule about balances', () => {
  it('of one customer', async () => {
    const customer = await makeRichUser(fixture, { admin, amountUsd: '4' });
    await makeRule({ kind: 'customer_balance', accountId: customer.accountId, belowUsd: '5' });
    expect(await judge()).toEqual(told('fired', customer.accountId, '$4'));
    await giveMoney(fixture, { admin, to: customer, amountUsd: '1' });
    expect(await judge()).toEqual(told('resolved', customer.accountId, '$5'));
  });

  it('of each customer who uses the service, and of no other', async () => {
    const used = await makeRichUser(fixture, { admin, amountUsd: '4' });
    await fixture.user();
    const { accountId } = used;
    const { groupId } = catalog;
    const { id: keyId } = await makeKey(fixture, used, groupId);
    await insertUsage(fixture.pool, [{ accountId, keyId, groupId, model: 'm' }]);
    await makeRule({ kind: 'customer_balance', belowUsd: '5' });
    expect(await judge()).toEqual(told('fired', accountId, '$3.993'));
    // Still low after a week without a request: that is not over.
    await fixture.pool.query('truncate usage_daily, usage_key_sums');
    expect(await judge()).toEqual([]);
  });

  describe('of an upstream that tells it', () => {
    /** Stores a balance as read so many minutes ago. */
    async function leave(balanceNano: number, { minutesAgo = 0, currency = 'USD' } = {}) {
      await fixture.pool.query(`update channels set balance_api = 'deepseek'`);
      await fixture.pool.query(
        `insert into upstream_balances (channel_id, balance_nano, currency, read_at, asked_at)
         values ($1, $2, $3, now() - make_interval(mins => $4), now())
         on conflict (channel_id) do update set balance_nano = $2, currency = $3, read_at = excluded.read_at`,
        [channelId, balanceNano, currency, minutesAgo],
      );
    }

    it('is below an amount', async () => {
      await makeRule({ kind: 'upstream_balance', belowUsd: '20' });
      await leave(20_000_000_000);
      expect(await judge()).toEqual([]);
      await leave(19_990_000_000);
      expect(await judge()).toEqual(told('fired', channelId, '$19.99'));
      await leave(-1_500_000_000);
      expect(await judge()).toEqual([]);
      await leave(20_000_000_000);
      expect(await judge()).toEqual(told('resolved', channelId, '$20'));
    });

    it('is compared in its own currency', async () => {
      await makeRule({ kind: 'upstream_balance', belowUsd: '20' });
      await leave(-500_000_000, { currency: 'CNY' });
      expect(await judge()).toEqual(told('fired', channelId, '-¥0.5'));
    });

    it('says nothing once it is old, neither that it is low nor that it is not', async () => {
      await makeRule({ kind: 'upstream_balance', belowUsd: '20' });
      await leave(1_000_000_000, { minutesAgo: 61 });
      expect(await judge()).toEqual([]);
      await leave(1_000_000_000, { minutesAgo: 59 });
      expect(await judge()).toEqual(told('fired', channelId, '$1'));
      await leave(50_000_000_000, { minutesAgo: 61 });
      expect(await judge()).toEqual([]);
    });
  });
});

describe('a rule about the drain', () => {
  it('looks at the slowest gateway that is alive', async () => {
    await makeRule({ kind: 'drain_lag', lagSeconds: 60 });
    const slow = randomUUID();
    await report(fixture, randomUUID(), { drainLagMs: 900_000, secondsAgo: 120 });
    await report(fixture, randomUUID(), { drainLagMs: 0 });
    expect(await judge()).toEqual([]);
    await report(fixture, slow, { drainLagMs: 61_000, secondsAgo: 1 });
    expect(await judge()).toEqual(told('fired', 'drain', '61 s'));
    await report(fixture, slow, { drainLagMs: 2_000 });
    expect(await judge()).toEqual(told('resolved', 'drain', '2 s'));
  });
});

describe('a rule about jobs', () => {
  it('is true of a job that no process does, and not of one that another process does', async () => {
    await makeRule({ kind: 'job_not_run' });
    const late = (name: string) => ({ name, isLate: true, lastFailure: 'broken' });
    const done = (name: string) => ({ name, isLate: false, lastFailure: null });
    await report(fixture, randomUUID(), { jobs: [late('clean up'), late('renew')] });
    await report(fixture, randomUUID(), { jobs: [late('clean up'), done('renew')] });
    expect(await judge()).toEqual(told('fired', 'clean up', 'broken'));
  });
});

describe('registration_wave', () => {
  it('fires from as many registrations on, with the share of the busiest network, and ends', async () => {
    await makeRule({ kind: 'registration_wave', registrationsMin: 3, windowMinutes: 10 });
    const register = (email: string) =>
      fixture.ask('register', { body: { email, password: 'correct horse battery' } });
    for (const at of [1, 2]) await register(`wave${String(at)}@example.org`);
    // An administrator who makes accounts is no wave.
    await fixture.user();
    expect(await judge()).toEqual([]);
    await register('wave3@example.org');
    expect(await judge()).toMatchObject([
      { kind: 'fired', subjects: [{ value: '3 / 10 min (3 / network)' }] },
    ]);
    await fixture.pool.query(`update users set created_at = now() - interval '11 minutes'`);
    expect(await judge()).toMatchObject([{ kind: 'resolved' }]);
  });
});
