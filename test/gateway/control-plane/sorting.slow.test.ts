/** Lists that can be sorted: every page after the other, in each order. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_SORTS, type AccountPage, type AccountSort } from '@weir/shared/people/accounts';
import { MODEL_SORTS, type ModelPage, type ModelSort } from '@weir/shared/catalog/models';
import { KEY_SORTS } from '@weir/shared/people/keys';
import { REDEMPTION_BATCH_SORTS, REDEMPTION_CODE_SORTS } from '@weir/shared/money/redemption-codes';
import { INVITATION_CODE_SORTS } from '@weir/shared/people/registrations';
import type { RouteId } from '@weir/shared/api/admin-routes';
import { CREDIT_SORTS, type CreditPage } from '@weir/shared/money/credits';
import { ORDER_SORTS } from '@weir/shared/money/orders';
import { SUBSCRIPTION_SORTS } from '@weir/shared/money/subscriptions';
import { USER_SORTS } from '@weir/shared/people/users';
import { newRequestId } from '../../../gateway/platform/ids/request-id.ts';
import { createAdminFixture, type AdminFixture, type Person } from './support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const MARK = randomBytes(4).toString('hex');

/** Read once: a machine's clock can be set back between two ids. */
const NOW_MS = Date.now();

/** Two of each name and balance, so that ties fall on the ends of pages. */
const SEEDS = [
  { name: 'ada', balance: 0 },
  { name: 'Ada', balance: -5 },
  { name: 'bob', balance: 7_000_000_000 },
  { name: 'Bob', balance: 7_000_000_000 },
  { name: '李', balance: 0 },
  { name: `${'🦆'.repeat(80)}"\\`, balance: 30 },
  { name: 'zoe', balance: 0 },
].map(({ name, balance }, index) => ({
  id: newRequestId(NOW_MS + index),
  name: `${name} ${MARK}`,
  balance,
}));

async function seedAccounts(): Promise<void> {
  await fixture.pool.query(
    `insert into accounts (id, name, balance_nano_usd)
     select * from unnest($1::uuid[], $2::text[], $3::bigint[])`,
    [SEEDS.map(({ id }) => id), SEEDS.map(({ name }) => name), SEEDS.map((seed) => seed.balance)],
  );
}

/** The ids of all rows, read in pages of so many. */
async function accountIds(sort: AccountSort | undefined, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query: object = { search: MARK, limit, ...(sort && { sort }), ...(cursor && { cursor }) };
    const { reply }: { reply: AccountPage } = await fixture.ask('listAccounts', {
      as: admin,
      query,
    });
    ids.push(...reply.data.map(({ id }) => id));
    cursor = reply.nextCursor;
  } while (cursor !== null);
  return ids;
}

async function modelNames(sort: ModelSort, limit: number): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query: object = { search: MARK, limit, sort, ...(cursor && { cursor }) };
    const { reply }: { reply: ModelPage } = await fixture.ask('listModels', { as: admin, query });
    names.push(...reply.data.map(({ publicId }) => publicId.split('-')[0] ?? ''));
    cursor = reply.nextCursor;
  } while (cursor !== null);
  return names;
}

function byBalance(): string[] {
  return SEEDS.toSorted((a, b) => a.balance - b.balance || (a.id < b.id ? -1 : 1)).map(
    ({ id }) => id,
  );
}

describe('accounts', () => {
  beforeAll(seedAccounts);

  it.each(ACCOUNT_SORTS)('by %s come whole, once each, in pages of any length', async (sort) => {
    const whole = await accountIds(sort, 200);
    expect(whole.toSorted()).toEqual(SEEDS.map(({ id }) => id).toSorted());
    for (const limit of [1, 2, 3, 6]) expect(await accountIds(sort, limit)).toEqual(whole);
  });

  it('are the newest first unless another order is asked for', async () => {
    const newest = SEEDS.map(({ id }) => id).toReversed();
    expect(await accountIds(undefined, 2)).toEqual(newest);
    expect(await accountIds('-created', 2)).toEqual(newest);
    expect(await accountIds('created', 2)).toEqual(newest.toReversed());
  });

  it('are ordered by balance, equal ones by age', async () => {
    expect(await accountIds('balance', 2)).toEqual(byBalance());
    expect(await accountIds('-balance', 2)).toEqual(byBalance().toReversed());
  });

  it('are ordered by name, whatever its case', async () => {
    const { rows } = await fixture.pool.query<{ id: string }>(
      'select id from accounts where id = any ($1) order by lower(name), id',
      [SEEDS.map(({ id }) => id)],
    );
    const byName = rows.map(({ id }) => id);
    expect(await accountIds('name', 2)).toEqual(byName);
    const adas = SEEDS.filter(({ name }) => name.toLowerCase().startsWith('ada'));
    expect(Math.abs(byName.indexOf(adas[0]?.id ?? '') - byName.indexOf(adas[1]?.id ?? ''))).toBe(1);
  });

  it('that were added meanwhile neither repeat nor hide others', async () => {
    const query = { search: MARK, sort: 'name', limit: 3 } as const;
    const first = (await fixture.ask('listAccounts', { as: admin, query })).reply;
    const id = newRequestId(Date.now());
    const name = `aaa ${MARK}`;
    await fixture.pool.query('insert into accounts (id, name) values ($1, $2)', [id, name]);
    const cursor = first.nextCursor ?? '';
    const rest = await fixture.ask('listAccounts', {
      as: admin,
      query: { ...query, limit: 200, cursor },
    });
    await fixture.pool.query('delete from accounts where id = $1', [id]);
    const seen = [...first.data, ...rest.reply.data].map((account) => account.id);
    expect(seen).toEqual(await accountIds('name', 200));
  });

  it.each([
    ['name', 'balance'],
    ['name', '-name'],
    ['balance', '-created'],
  ] as const)('refuse a cursor of %s for %s', async (one, other) => {
    const ask = (query: object) =>
      fixture.ask('listAccounts', { as: admin, query: { limit: 1, ...query } });
    const { nextCursor } = (await ask({ sort: one })).reply;
    const refused = await ask({ sort: other, cursor: nextCursor });
    expect(refused.problem.code).toBe('invalid_cursor');
  });

  it.each([
    ['name', ['name', 'a\0b', SEEDS[0]?.id]],
    ['name', ['name', 'a', 'no id']],
    ['balance', ['balance', '1; drop table accounts', SEEDS[0]?.id]],
    ['balance', ['balance', '1']],
    ['created', ['.*', SEEDS[0]?.id, SEEDS[0]?.id]],
  ])('refuse a cursor by %s that was made by hand: %j', async (sort, parts) => {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
    const refused = await fixture.ask('listAccounts', { as: admin, query: { sort, cursor } });
    expect(refused.problem.code).toBe('invalid_cursor');
  });

  it.each(['email', '--name', 'name desc', '', 'constructor', '__proto__'])(
    'cannot be sorted by %j',
    async (sort) => {
      const refused = await fixture.ask('listAccounts', { as: admin, query: { sort } });
      expect(refused.status).toBe(400);
    },
  );

  it('of a large table are read through an index, first and later pages', async () => {
    await fixture.pool.query(
      `insert into accounts (id, name, balance_nano_usd)
       select gen_random_uuid(), 'many ' || n, n % 1000 from generate_series(1, 20000) n`,
    );
    await fixture.pool.query('analyze accounts');
    for (const [index, order, after] of [
      ['accounts_by_name', 'lower(a.name)', `'many 5'`],
      ['accounts_pkey', 'a.id', `'80000000-0000-4000-8000-000000000000'::uuid`],
    ] as const) {
      for (const [sign, direction] of [
        ['>', 'asc'],
        ['<', 'desc'],
      ] as const) {
        const id = `'80000000-0000-4000-8000-000000000000'::uuid`;
        const { rows } = await fixture.pool.query<{ 'QUERY PLAN': string }>(
          `explain select a.id from accounts a where (${order}, a.id) ${sign} (${after}, ${id})
           order by ${order} ${direction}, a.id ${direction} limit 51`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain(index);
        expect(plan).not.toMatch(/Sort|Seq Scan/);
      }
    }
  });
});

describe('models', () => {
  beforeAll(async () => {
    for (const [name, input, status, sortOrder] of [
      ['b', '3', 'active', 1],
      ['A', '3', 'disabled', 2],
      ['c', '0.5', 'active', 1],
      ['D', null, 'active', 1],
    ] as const) {
      const limits = { contextTokensMax: 8_192, outputTokensMax: 1_024 };
      const body = { publicId: `${name}-${MARK}`, status, sortOrder, ...limits };
      const { id } = (await fixture.ask('createModel', { as: admin, body })).reply;
      const price = { inputUsd: input, outputUsd: '10' };
      if (input === null) continue;
      await fixture.ask('createPrice', { as: admin, params: { modelId: id }, body: price });
    }
  });

  it.each(MODEL_SORTS)('by %s come whole, once each, in pages of any length', async (sort) => {
    const whole = await modelNames(sort, 200);
    expect(whole.toSorted()).toEqual(['A', 'D', 'b', 'c']);
    for (const limit of [1, 2, 3]) expect(await modelNames(sort, limit)).toEqual(whole);
  });

  it('are sorted by what each word says', async () => {
    expect(await modelNames('name', 2)).toEqual(['A', 'b', 'c', 'D']);
    expect(await modelNames('-name', 2)).toEqual(['D', 'c', 'b', 'A']);
    expect(await modelNames('price', 2)).toEqual(['D', 'c', 'b', 'A']);
    expect(await modelNames('-price', 2)).toEqual(['A', 'b', 'c', 'D']);
    expect(await modelNames('status', 2)).toEqual(['b', 'c', 'D', 'A']);
    expect(await modelNames('order', 2)).toEqual(['b', 'c', 'D', 'A']);
  });
});

interface SortedPage {
  readonly data: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Every id of a list, read in pages of so many. */
async function idsOf(route: RouteId, query: object, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: object = { ...query, limit, ...(cursor === null ? {} : { cursor }) };
    const answered = await fixture.ask(route, { as: admin, query: page });
    const reply = JSON.parse(answered.text) as SortedPage;
    ids.push(...reply.data.map(({ id }) => id));
    cursor = reply.nextCursor;
  } while (cursor !== null);
  return ids;
}

/** Orders, credits and subscriptions, of which some are alike. */
async function addSales(groupId: string): Promise<void> {
  const { pool } = fixture;
  const { accountId, userId } = admin;
  const account = { as: admin, params: { accountId } };
  for (const [index, amountUsd] of ['5', '7', '-3', '5', '7', '-3'].entries()) {
    await fixture.ask('createCredit', {
      ...account,
      body: { amountUsd, reason: `credit ${String(index)}` },
    });
  }
  await pool.query(
    `insert into orders (id, account_id, user_id, kind, amount_nano_usd, status)
     select id, $1, $2, 'top_up', (n % 2 + 1) * 10000000000, case when n % 3 = 0 then 'paid' else 'pending' end
     from unnest($3::uuid[]) with ordinality as ids(id, n)`,
    [accountId, userId, Array.from({ length: 6 }, (_, n) => newRequestId(NOW_MS + n))],
  );
  for (const name of ['b', 'A', 'a', 'c', 'd']) {
    const allowances = [{ window: 'month' as const, limitUsd: '1' }];
    const body = { name, priceUsd: '1', groupIds: [groupId], allowances };
    const plan = await fixture.ask('createPlan', { as: admin, body });
    const grant = { accountId, planId: plan.reply.id, reason: 'a test' };
    await fixture.ask('grantSubscription', { as: admin, body: grant });
  }
}

describe('other lists', () => {
  beforeAll(async () => {
    const body = { name: 'sorted' };
    const groupId = (await fixture.ask('createGroup', { as: admin, body })).reply.id;
    for (const name of ['b', 'A', 'a', '李', 'b']) {
      await fixture.ask('createKey', { as: admin, body: { name, groupId } });
      await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1, note: name } });
      const batch = { name, count: 3, kind: 'balance' as const, amountUsd: '1' };
      await fixture.ask('createRedemptionBatch', { as: admin, body: batch });
      await fixture.user();
    }
    // To the microsecond, which a Date of JavaScript does not hold.
    await fixture.pool.query(
      `update keys set last_used_at = '2026-01-01 00:00:00.000001+00'::timestamptz
         + interval '1 microsecond' * (hashtext(id::text) % 3) where name <> 'A'`,
    );
    await fixture.pool.query(
      `insert into key_spend (key_id, period, period_start, spent_nano_usd)
       select id, 'month', period_start('month', now()), abs(hashtext(id::text) % 2) from keys`,
    );
    await fixture.pool.query(`update redemption_codes set status = 'disabled' where hint < 'M'`);
    await addSales(groupId);
  });

  it.each([
    ['listKeysOfEveryone', KEY_SORTS],
    ['listKeys', KEY_SORTS],
    ['listUsers', USER_SORTS],
    ['listRedemptionBatches', REDEMPTION_BATCH_SORTS],
    ['listRedemptionCodes', REDEMPTION_CODE_SORTS],
    ['listInvitationCodes', INVITATION_CODE_SORTS],
    ['listOrders', ORDER_SORTS],
    ['listSubscriptions', SUBSCRIPTION_SORTS],
  ] as const)('%s come whole, once each, in pages of any length', async (route, sorts) => {
    for (const sort of sorts) {
      const whole = await idsOf(route, { sort }, 200);
      expect(whole.length).toBeGreaterThan(4);
      expect(new Set(whole).size).toBe(whole.length);
      expect(await idsOf(route, { sort }, 2), sort).toEqual(whole);
      const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
      expect(await idsOf(route, { sort: opposite }, 3)).toEqual(whole.toReversed());
    }
  });

  it.each(CREDIT_SORTS)('credits by %s come whole, in pages of any length', async (sort) => {
    const read = async (by: string, limit: number): Promise<string[]> => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: object = { sort: by, limit, ...(cursor && { cursor }) };
        const { reply }: { reply: CreditPage } = await fixture.ask('listCredits', {
          as: admin,
          query,
        });
        seen.push(...reply.data.map(({ amountUsd, reason }) => `${amountUsd} ${reason}`));
        cursor = reply.nextCursor;
      } while (cursor !== null);
      return seen;
    };
    const whole = await read(sort, 200);
    expect(new Set(whole).size).toBe(6);
    expect(await read(sort, 2)).toEqual(whole);
    expect(await read(sort.startsWith('-') ? sort.slice(1) : `-${sort}`, 4)).toEqual(
      whole.toReversed(),
    );
    if (sort === 'amount')
      expect(whole.map((text) => text.split(' ')[0])).toEqual(['-3', '-3', '5', '5', '7', '7']);
  });

  it('say on the first page how many match', async () => {
    const total = async (query: object) =>
      (await fixture.ask('listKeysOfEveryone', { as: admin, query })).reply;
    const first = await total({ limit: 2 });
    expect(first.total).toBe(5);
    expect((await total({ limit: 2, cursor: first.nextCursor })).total).toBeNull();
    expect((await total({ limit: 2, search: '李' })).total).toBe(1);
  });
});
