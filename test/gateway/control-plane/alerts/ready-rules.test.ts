import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { evaluateAlerts } from '../../../../gateway/control-plane/alerts/judges/evaluate-alerts.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { jobContext } from '../support/context.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';

const HOUR_MS = 3_600_000;

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let catalog: Catalog;
let keyId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  keyId = (await makeKey(fixture, owner, catalog.groupId)).id;
});
beforeEach(async () => {
  for (const table of ['process_reports', 'requests', 'request_sums', 'order_refunds']) {
    await fixture.pool.query(`delete from ${table}`);
  }
  await fixture.pool.query('delete from alert_rules');
});
afterAll(() => fixture.close());

const press = (language: 'en' | 'zh-CN' = 'en') =>
  fixture.ask('createReadyAlertRules', { as: admin, body: { language } });

async function entries(): Promise<number> {
  const { rows } = await fixture.pool.query<{ count: number }>(
    `select count(*)::integer as count from audit_entries where action = 'createReadyAlertRules'`,
  );
  return rows[0]?.count ?? 0;
}

describe('the ready-made rules', () => {
  it('are added by one act with one entry, and pressing again adds nothing', async () => {
    expect((await fixture.ask('listAlertRules', { as: admin })).reply.readyMissing).toBe(10);
    const before = await entries();
    const { reply } = await press();
    expect(reply.data).toHaveLength(10);
    expect(reply.readyMissing).toBe(0);
    expect(await entries()).toBe(before + 1);
    expect((await press('zh-CN')).reply.data.map(({ name }) => name)).toEqual(
      reply.data.map(({ name }) => name),
    );
    expect(await entries()).toBe(before + 1);
  });

  it('are added once, also when two operators press together', async () => {
    const both = await Promise.all([press(), press('zh-CN')]);
    expect(both.map(({ reply }) => reply.data.length)).toEqual([10, 10]);
  });

  it('stay as they were changed, and come back alone where one was deleted', async () => {
    const { data } = (await press()).reply;
    const rate = data.find(({ kind }) => kind === 'error_rate');
    const lag = data.find(({ kind }) => kind === 'drain_lag');
    await fixture.ask('updateAlertRule', {
      ...{ as: admin, params: { alertRuleId: rate?.id ?? '' }, anyVersion: true },
      body: { percent: 40, name: 'mine' },
    });
    await fixture.ask('deleteAlertRule', { as: admin, params: { alertRuleId: lag?.id ?? '' } });
    const again = (await press()).reply.data;
    expect(again).toHaveLength(10);
    expect(again.find(({ id }) => id === rate?.id)).toMatchObject({ percent: 40, name: 'mine' });
  });

  it('have another name where an operator has a rule of theirs', async () => {
    const body = { name: 'Billing is late', kind: 'drain_lag', lagSeconds: 5 };
    await fixture.ask('createAlertRule', { as: admin, body });
    const names = (await press()).reply.data.map(({ name }) => name);
    expect(names).toContain('Billing is late');
    expect(names).toContain('Billing is late (2)');
  });

  it('are judged without a fault on a fresh start, and none fires', async () => {
    await press();
    await evaluateAlerts(await jobContext(fixture));
    const { data } = (await fixture.ask('listAlertRules', { as: admin })).reply;
    expect(data.flatMap(({ firing }) => firing)).toEqual([]);
  });
});

/** Resolves with the subjects that the only rule is true of. */
async function firing(rule: object) {
  await fixture.pool.query('delete from alert_rules');
  const body = { name: randomUUID(), ...rule };
  const made = await fixture.ask('createAlertRule', { as: admin, body });
  expect(made.status).toBe(201);
  await evaluateAlerts(await jobContext(fixture));
  const { data } = (await fixture.ask('listAlertRules', { as: admin })).reply;
  return data.flatMap((judged) => judged.firing.map(({ subject }) => subject));
}

const principal = () => senderOf({ accountId: owner.accountId, keyId, groupId: catalog.groupId });

describe('a rule about first tokens', () => {
  const slow = (count: number, firstByteMs: number, channelId: string = randomUUID()) => {
    const startedAtMs = Date.now() - 1_000;
    return Array.from({ length: count }, (_value, index) => ({
      ...{ startedAtMs: startedAtMs - index, firstByteAtMs: startedAtMs - index + firstByteMs },
      ...{ principal: principal(), channelId },
    }));
  };

  it('is true while more than one in twenty requests waits longer', async () => {
    await enterRequests(fixture.pool, [...slow(90, 100), ...slow(10, 9_000)]);
    expect(await firing({ kind: 'first_token_slow', firstTokenMs: 5_000 })).toEqual(['requests']);
    expect(await firing({ kind: 'first_token_slow', firstTokenMs: 10_000 })).toEqual([]);
  });

  it('looks at one channel where it names one, and says nothing of a handful', async () => {
    const body = { name: randomUUID(), baseUrl: 'https://8.8.8.8/v1' };
    const channelId = (await fixture.ask('createChannel', { as: admin, body })).reply.id;
    await enterRequests(fixture.pool, [...slow(200, 100), ...slow(19, 9_000, channelId)]);
    const rule = { kind: 'first_token_slow', firstTokenMs: 5_000, channelId };
    expect(await firing(rule)).toEqual([]);
    await enterRequests(fixture.pool, slow(1, 9_000, channelId));
    expect(await firing(rule)).toEqual([channelId]);
  });
});

describe('a rule about spend', () => {
  const spend = (hoursAgo: number, dollars: number) => {
    const startedAtMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hoursAgo * HOUR_MS + 60_000;
    return { startedAtMs, principal: principal(), costNanoUsd: dollars * 1e9 };
  };
  const rule = { kind: 'spend_anomaly', timesUsual: 5, overUsd: '10' };

  it('is true of an hour that costs a multiple of the mean, and of no cheap one', async () => {
    const usual = Array.from({ length: 48 }, (_value, index) => spend(2 + index, 2));
    await enterRequests(fixture.pool, [...usual, spend(1, 9)]);
    expect(await firing(rule)).toEqual([]);
    expect(await firing({ ...rule, timesUsual: 4, overUsd: '5' })).toEqual(['spend']);
    await enterRequests(fixture.pool, [spend(1, 2)]);
    expect(await firing(rule)).toEqual(['spend']);
    expect(await firing({ ...rule, overUsd: '12' })).toEqual([]);
  });

  it('says nothing in the first day, when nothing is usual', async () => {
    await enterRequests(fixture.pool, [spend(20, 1), spend(1, 500)]);
    expect(await firing(rule)).toEqual([]);
  });
});

it('a rule about stores is true of errors that a live process reports, once for each store', async () => {
  const problem = (kind: string, severity: string, message: string) => ({
    kind,
    severity,
    message,
  });
  await fixture.pool.query(
    `insert into process_reports (process_id, channels, jobs, problems) values ($1, '[]', '[]', $2)`,
    [
      randomUUID(),
      JSON.stringify([
        problem('redis', 'error', 'Redis is away.'),
        problem('redis', 'error', 'Redis is read-only.'),
        problem('clock', 'warning', 'The clock is 3 s ahead.'),
      ]),
    ],
  );
  expect(await firing({ kind: 'store_problem' })).toEqual(['redis']);
});

it('a rule about refunds is true of those that failed or wait for an hour', async () => {
  const orderId = randomUUID();
  await fixture.pool.query(
    `insert into orders (id, account_id, user_id, kind, status, amount_nano_usd)
     select $1, $2, id, 'top_up', 'paid', 5000000000 from users where account_id = $2`,
    [orderId, owner.accountId],
  );
  const add = async (status: string, minutesAgo: number): Promise<string> => {
    const id = randomUUID();
    await fixture.pool.query(
      `insert into order_refunds (id, order_id, amount_nano_usd, reason, status, actor, created_at)
       values ($1, $2, 1000000000, 'r', $3, 'a', now() - make_interval(mins => $4))`,
      [id, orderId, status, minutesAgo],
    );
    return id;
  };
  const failed = await add('failed', 200);
  expect(await firing({ kind: 'refund_waiting' })).toEqual([failed]);
  await add('pending', 5);
  expect(await firing({ kind: 'refund_waiting' })).toEqual([]);
  const waits = await add('pending', 90);
  expect(await firing({ kind: 'refund_waiting' })).toEqual([waits]);
});
