import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT_PRICES_MAX } from '@weir/shared/prices/account-prices';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const FUTURE = '2100-01-01T00:00:00.000Z';

const set = (body: object, accountId = owner.accountId) =>
  fixture.ask('createAccountPrice', {
    as: admin,
    params: { accountId },
    body: { modelId: catalog.modelId, inputUsd: '1', outputUsd: '1', ...body },
  });

const end = (body: object, modelId = catalog.modelId) =>
  fixture.ask('endAccountPrice', {
    as: admin,
    params: { accountId: owner.accountId, modelId },
    body,
  });

const rows = async () => (await fixture.pool.query('select from account_prices')).rows.length;

it.each([
  [{ inputUsd: '-1' }],
  [{ inputUsd: '9007200' }],
  [{ effectiveFrom: '2001-01-01T00:00:00Z' }],
  [{ modelId: 'gpt' }],
  [{ multiplier: '0.5' }],
  [{ extra: { image: '1' } }],
  [
    {
      inputUsd: '0',
      outputUsd: '0',
      cachedInputUsd: null,
      cacheWriteUsd: null,
      extra: { image: '1' },
    },
  ],
])('a price with %j is refused', async (body) => {
  expect((await set(body)).status).toBe(400);
  expect(await rows()).toBe(0);
});

it('a model or an account that is not there is named', async () => {
  expect((await set({ modelId: randomUUID() })).problem).toMatchObject({
    code: 'invalid_value',
    errors: [{ field: 'modelId' }],
  });
  expect((await set({}, randomUUID())).problem.code).toBe('not_found');
  const gone = await fixture.user();
  const params = { accountId: gone.accountId };
  await fixture.ask('deleteAccount', { as: admin, params });
  expect((await set({}, gone.accountId)).problem.code).toBe('not_found');
  const none = { accountId: randomUUID() };
  expect((await fixture.ask('listAccountPrices', { as: admin, params: none })).status).toBe(404);
  expect(await rows()).toBe(0);
});

it('no price ends that is not there, no two begin at once, and none is withdrawn that has begun', async () => {
  expect((await end({})).problem.code).toBe('state_conflict');
  await set({ effectiveFrom: FUTURE });
  expect((await end({})).problem.code).toBe('state_conflict');
  expect((await end({ effectiveFrom: FUTURE })).problem.code).toBe('already_exists');
  expect((await set({ effectiveFrom: FUTURE })).problem.code).toBe('already_exists');
  const { reply } = await set({});
  const withdraw = (effectiveFrom: string) =>
    fixture.ask('deleteAccountPrice', {
      as: admin,
      params: { accountId: owner.accountId, modelId: catalog.modelId, effectiveFrom },
    });
  expect((await withdraw(reply.effectiveFrom)).problem.code).toBe('state_conflict');
  expect((await withdraw('2099-01-01T00:00:00.000Z')).problem.code).toBe('not_found');
  expect((await withdraw(FUTURE)).status).toBe(204);
});

it('an account has a bounded number of prices; past ones do not count', async () => {
  const { accountId } = await fixture.user();
  await fixture.pool.query(
    `insert into account_prices (account_id, model_id, effective_from, prices)
     select $1, $2, now() + n * interval '1 hour', jsonb_build_object('longContext', null, 'prices', jsonb_build_object(
       'inputNanoUsd', 1, 'cachedInputNanoUsd', 1, 'cacheWriteNanoUsd', 1, 'outputNanoUsd', 1, 'perCallNanoUsd', 0))
     from generate_series(-5, $3::integer - 1) n`,
    [accountId, catalog.modelId, ACCOUNT_PRICES_MAX - 1],
  );
  // One in force, and all but one to come.
  expect((await set({ effectiveFrom: FUTURE }, accountId)).status).toBe(201);
  const more = await set({ effectiveFrom: '2100-01-02T00:00:00.000Z' }, accountId);
  expect(more.problem).toMatchObject({ code: 'state_conflict' });
});
