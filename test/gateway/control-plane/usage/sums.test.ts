import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeUsageDays } from '../../../../gateway/control-plane/usage/close-days.ts';
import type { Difference } from '../../../../gateway/ledger/reconcile/difference.ts';
import { reconcileRecords } from '../../../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let admin: Person;
let owners: { readonly accountId: string; readonly keyId: string }[];
let catalog: { readonly groupId: string; readonly publicId: string };

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  owners = [];
  for (const person of [await fixture.user(), await fixture.user()]) {
    const { id: keyId } = await makeKey(fixture, person, catalog.groupId);
    owners.push({ accountId: person.accountId, keyId });
  }
});
afterAll(() => fixture.close());
beforeEach(() =>
  fixture.pool.query(
    'truncate usage_records, usage_daily, usage_open_days, usage_model_sums, usage_key_sums, usage_account_sums',
  ),
);

const close = () => closeUsageDays({ pool: fixture.pool });

/** Records of everybody so many days ago, of two models. */
function enter(daysAgo: number, count = 3): Promise<string[]> {
  const createdAtMs = Date.now() - daysAgo * DAY_MS;
  return insertUsage(
    fixture.pool,
    owners.flatMap((owner) =>
      Array.from({ length: count }, (_value, index) => ({
        ...owner,
        groupId: catalog.groupId,
        model: index === 0 ? 'another-model' : catalog.publicId,
        createdAtMs,
      })),
    ),
  );
}

async function openDays(): Promise<number[]> {
  const { rows } = await fixture.pool.query<{ ago: number }>(
    `select (now() at time zone 'UTC')::date - day as ago from usage_open_days order by 1`,
  );
  return rows.map(({ ago }) => ago);
}

/** Checks of the books' sums only: these records have no credits and no journal behind them. */
async function sumDifferences(accountId?: string): Promise<Difference[]> {
  const differences = await reconcileRecords(fixture.pool, accountId);
  return differences.filter(({ check }) => check.startsWith('sums'));
}

async function expectNoDifference(): Promise<void> {
  expect(await sumDifferences()).toEqual([]);
}

async function chart(query: object): Promise<[of: string | null, requests: number][]> {
  const { data } = (await fixture.ask('listUsageDays', { as: admin, query })).reply;
  return data.map(({ of, requests }) => [of, requests]);
}

describe('days that are over', () => {
  it('are summed up, and only today is read row by row', async () => {
    for (const daysAgo of [40, 3, 0]) await enter(daysAgo);
    expect(await openDays()).toEqual([0, 3, 40]);
    await close();
    expect(await openDays()).toEqual([0]);
    const { rows } = await fixture.pool.query('select 1 from usage_model_sums');
    expect(rows).toHaveLength(4);
    await expectNoDifference();
  });

  it('keep what the balance paid and what nobody paid', async () => {
    const [owner] = owners;
    if (owner === undefined) throw new Error('nobody');
    const paid = { costNanoUsd: 6, balanceNanoUsd: 4, uncollectedNanoUsd: 2 };
    const createdAtMs = Date.now() - 3 * DAY_MS;
    const record = { ...owner, groupId: catalog.groupId, model: 'any', createdAtMs };
    await insertUsage(fixture.pool, [{ ...record, ...paid }]);
    const sums = async () => {
      const { rows } = await fixture.pool.query<{ balance: number; uncollected: number }>(
        `select (select sum(balance_nano_usd)::integer from usage_by_key) as balance,
           (select sum(uncollected_nano_usd)::integer from usage_by_model) as uncollected`,
      );
      return rows;
    };
    expect(await sums()).toEqual([{ balance: 4, uncollected: 2 }]);
    await close();
    expect(await sums()).toEqual([{ balance: 4, uncollected: 2 }]);
  });

  it('look the same in every chart, summed up or not', async () => {
    for (const daysAgo of [3, 0]) await enter(daysAgo);
    const [first] = owners;
    const queries = [
      {},
      { by: 'model' },
      { by: 'group' },
      { by: 'account' },
      { by: 'key' },
      { model: catalog.publicId },
      { by: 'account', model: catalog.publicId },
      { by: 'model', keyId: first?.keyId },
      { keyId: first?.keyId },
      { by: 'key', accountId: first?.accountId },
      { by: 'model', accountId: first?.accountId },
      { by: 'group', accountId: first?.accountId },
      { model: catalog.publicId, accountId: first?.accountId },
    ];
    const read = () => Promise.all(queries.map(chart));
    const before = await read();
    expect(before.map((points) => points.reduce((sum, [, requests]) => sum + requests, 0))).toEqual(
      [12, 12, 12, 12, 12, 8, 8, 6, 6, 6, 6, 6, 4],
    );
    await close();
    expect(await read()).toEqual(before);
  });

  it.each(['account', 'key'] as const)(
    'are split into the twenty most expensive by %s, and the rest',
    async (by) => {
      const many = Array.from({ length: 23 }, (_value, index) => ({
        accountId: randomUUID(),
        keyId: randomUUID(),
        groupId: catalog.groupId,
        model: catalog.publicId,
        costNanoUsd: 1_000_000_000 + index,
      }));
      await fixture.pool.query(
        `insert into accounts (id, name) select id, 'one of many' from unnest($1::uuid[]) as a(id)`,
        [many.map(({ accountId }) => accountId)],
      );
      const [cheapest, , , dear] = many.map((record) => ({ ...record, of: record[`${by}Id`] }));
      const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS);
      const onDay = (daysAgo: number, records: typeof many) =>
        insertUsage(
          fixture.pool,
          records.map((record) => ({ ...record, createdAtMs: day(daysAgo).getTime() })),
        );
      await onDay(3, many);
      await onDay(2, many.slice(3, 5));
      await onDay(
        1,
        many.slice(0, 1).map((record) => ({ ...record, costNanoUsd: 1 })),
      );
      await close();
      await onDay(0, many);
      for (const model of [undefined, catalog.publicId]) {
        const query = { by, ...(model === undefined ? {} : { model }) };
        const { data } = (await fixture.ask('listUsageDays', { as: admin, query })).reply;
        const points = [3, 2, 1, 0].map((daysAgo) =>
          data.filter((point) => point.day === day(daysAgo).toISOString().slice(0, 10)),
        );
        expect(points.map((all) => all.length)).toEqual([21, 2, 1, 21]);
        expect(points.map((all) => all.at(-1)?.of)).toEqual([null, dear?.of, null, null]);
        expect(points[0]?.at(-1)).toMatchObject({ requests: 3, costUsd: '3.000000003' });
        expect(points[2]?.at(-1)).toMatchObject({
          requests: 1,
          costUsd: '0.000000001',
          inputTokens: 1000,
        });
        expect(points[3]?.at(0)).toMatchObject({ of: many.at(-1)?.[`${by}Id`], outputTokens: 500 });
        expect(data.map(({ of }) => of)).not.toContain(cheapest?.of);
      }
    },
  );

  it('are opened again by a record that comes late, and closed again', async () => {
    await enter(3);
    await close();
    await enter(3, 1);
    expect(await openDays()).toEqual([3]);
    expect(await chart({})).toEqual([[null, 8]]);
    await expectNoDifference();
    await close();
    expect(await chart({})).toEqual([[null, 8]]);
    await expectNoDifference();
  });

  it('lose nothing while batches and closings run into each other', async () => {
    let writing = true;
    const write = async () => {
      // From the day before yesterday on: yesterday stays open for some hours.
      for (let batch = 0; batch < 15; batch += 1) await enter(2 + (batch % 3), 1 + (batch % 4));
    };
    const keepClosing = async () => {
      while (writing) {
        await close();
        await expectNoDifference();
      }
    };
    const writers = Promise.all([write(), write(), write(), write()]).finally(() => {
      writing = false;
    });
    await Promise.all([writers, keepClosing(), keepClosing()]);
    await close();
    expect(await openDays()).toEqual([]);
    await expectNoDifference();
    const { rows } = await fixture.pool.query(
      'select sum(requests)::integer as sum from usage_by_key',
    );
    // Four writers, two owners, 36 records of each in fifteen batches.
    expect(rows).toEqual([{ sum: 4 * 2 * 36 }]);
  });

  it('are compared with the daily book by the reconciliation, each sum by itself', async () => {
    await enter(3);
    await close();
    const [first, other] = owners.map(({ accountId }) => accountId);
    const spoil = {
      // Models are everybody's; of one account there is one key, and there are two models.
      usage_model_sums: { check: 'sums by model', ofOne: 0 },
      usage_key_sums: { check: 'sums by key', ofOne: 1 },
      usage_account_sums: { check: 'sums by account', ofOne: 2 },
    };
    for (const [table, { check, ofOne }] of Object.entries(spoil)) {
      const change = (by: number) =>
        fixture.pool.query(`update ${table} set cost_nano_usd = cost_nano_usd + $1`, [by]);
      await change(7);
      expect(new Set((await sumDifferences()).map((found) => found.check))).toEqual(
        new Set([`${check}: cost`]),
      );
      expect(await sumDifferences(first)).toHaveLength(ofOne);
      await change(-7);
    }
    // Shifted from one account to the other: the total alone would not tell.
    await fixture.pool.query(
      'update usage_account_sums set requests = requests + case account_id when $1 then 1 else -1 end',
      [other],
    );
    expect(await sumDifferences()).toHaveLength(4);
  });
});
