import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeUsageDays } from '../../../gateway/admin/usage/close-days.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { layAdminGround, type AdminGround, type Person } from '../support/ground.ts';
import { enterUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;

let ground: AdminGround;
let admin: Person;
let owners: { readonly accountId: string; readonly keyId: string }[];
let catalog: { readonly groupId: string; readonly publicId: string };

beforeAll(async () => {
  ground = await layAdminGround();
  admin = await ground.admin();
  catalog = await makeCatalog(ground, admin);
  owners = [];
  for (const person of [await ground.user(), await ground.user()]) {
    const { id: keyId } = await makeKey(ground, person, catalog.groupId);
    owners.push({ accountId: person.accountId, keyId });
  }
});
afterAll(() => ground.close());
beforeEach(() =>
  ground.pool.query(
    'truncate usage_records, usage_daily, usage_open_days, usage_model_sums, usage_key_sums',
  ),
);

const close = () => closeUsageDays({ pool: ground.pool });

/** Records of everybody so many days ago, of two models. */
function enter(daysAgo: number, count = 3): Promise<string[]> {
  const createdAtMs = Date.now() - daysAgo * DAY_MS;
  return enterUsage(
    ground.pool,
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
  const { rows } = await ground.pool.query<{ ago: number }>(
    `select (now() at time zone 'UTC')::date - day as ago from usage_open_days order by 1`,
  );
  return rows.map(({ ago }) => ago);
}

/** Compared in one statement, so that both sides are of one moment. */
const DIFFERENCES = `
  with everything as (select sum(requests) as requests, sum(input_tokens) as input, sum(cost_nano_usd) as cost from usage_daily),
    models as (select sum(requests) as requests, sum(input_tokens) as input, sum(cost_nano_usd) as cost from usage_by_model),
    keys as (select sum(requests) as requests, sum(input_tokens) as input, sum(cost_nano_usd) as cost from usage_by_key)
  select 1 from everything, models, keys
  where everything is distinct from models or everything is distinct from keys`;

async function expectNoDifference(): Promise<void> {
  expect((await ground.pool.query(DIFFERENCES)).rows).toEqual([]);
}

async function chart(query: object): Promise<[of: string | null, requests: number][]> {
  const { data } = (await ground.ask('listUsageDays', { as: admin, query })).reply;
  return data.map(({ of, requests }) => [of, requests]);
}

describe('days that are over', () => {
  it('are summed up, and only today is read row by row', async () => {
    for (const daysAgo of [40, 3, 0]) await enter(daysAgo);
    expect(await openDays()).toEqual([0, 3, 40]);
    await close();
    expect(await openDays()).toEqual([0]);
    const { rows } = await ground.pool.query('select 1 from usage_model_sums');
    expect(rows).toHaveLength(4);
    await expectNoDifference();
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
    ];
    const read = () => Promise.all(queries.map(chart));
    const before = await read();
    expect(before.map((points) => points.reduce((sum, [, requests]) => sum + requests, 0))).toEqual(
      [12, 12, 12, 12, 12, 8, 8, 6, 6, 6],
    );
    await close();
    expect(await read()).toEqual(before);
  });

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
      for (let batch = 0; batch < 15; batch += 1) await enter(1 + (batch % 3), 1 + (batch % 4));
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
    const { rows } = await ground.pool.query(
      'select sum(requests)::integer as sum from usage_by_key',
    );
    // Four writers, two owners, 36 records of each in fifteen batches.
    expect(rows).toEqual([{ sum: 4 * 2 * 36 }]);
  });
});
