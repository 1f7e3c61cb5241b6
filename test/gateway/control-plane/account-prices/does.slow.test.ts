/** Prices of one account: operators set them, and the account sees them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const BEGIN = '2100-01-01T00:00:00.000Z';
const END = '2100-02-01T00:00:00.000Z';
const NEVER = '2200-01-01T00:00:00.000Z';

async function begin(): Promise<void> {
  owner = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  await until('the model is listed', async () => (await seenBy(owner)) !== undefined);
}

async function seenBy(as: Person | undefined) {
  const { reply } = await fixture.ask('getPricing', { as });
  return reply.models.find(({ publicId }) => publicId === catalog.publicId);
}

/** The prices of input that a price list has: now, in the group, and next. */
async function inputs(as: Person | undefined) {
  const model = await seenBy(as);
  return [
    model?.ownPrice ?? false,
    model?.prices.inputUsd,
    model?.groups[0]?.prices.inputUsd,
    model?.next?.effectiveFrom,
    model?.groups[0]?.nextPrices?.inputUsd,
  ];
}

const set = (body: object) =>
  fixture.ask('createAccountPrice', {
    as: admin,
    params: { accountId: owner.accountId },
    body: { modelId: catalog.modelId, ...body },
  });

const end = (effectiveFrom?: string) =>
  fixture.ask('endAccountPrice', {
    as: admin,
    params: { accountId: owner.accountId, modelId: catalog.modelId },
    body: effectiveFrom === undefined ? {} : { effectiveFrom },
  });

const withdraw = (effectiveFrom: string) =>
  fixture.ask('deleteAccountPrice', {
    as: admin,
    params: { accountId: owner.accountId, modelId: catalog.modelId, effectiveFrom },
  });

const list = async (as = admin) =>
  (await fixture.ask('listAccountPrices', { as, params: { accountId: owner.accountId } })).reply
    .data;

it('an account sees its price, which no multiplier changes; others do not', async () => {
  await begin();
  await fixture.ask('addGroupAccounts', {
    as: admin,
    params: { groupId: catalog.groupId },
    body: { accountIds: [owner.accountId], multiplier: '3' },
  });
  const set1 = await set({ inputUsd: '0.123456789', outputUsd: '7' });
  expect(set1.reply).toMatchObject({
    publicId: catalog.publicId,
    state: 'in_force',
    prices: { inputUsd: '0.123456789', cachedInputUsd: '0.123456789', outputUsd: '7' },
    listPrices: { inputUsd: '2', outputUsd: '10' },
  });
  expect(await inputs(owner)).toEqual([true, '0.123456789', '0.123456789', undefined, undefined]);
  expect(await inputs(await fixture.user())).toEqual([false, '2', '2', undefined, undefined]);
  expect(await inputs(undefined)).toEqual([false, '2', '2', undefined, undefined]);
  const { reply } = await fixture.ask('listAuditEntries', {
    as: admin,
    query: { subjectId: owner.accountId, action: 'createAccountPrice' },
  });
  expect(reply.data).toMatchObject([{ before: null, after: { prices: { outputUsd: '7' } } }]);
});

it('what is not sent stays: as the account pays it, or as all do', async () => {
  await begin();
  await fixture.ask('createPrice', {
    as: admin,
    params: { modelId: catalog.modelId },
    body: { inputUsd: '2', cachedInputUsd: '0.2', outputUsd: '10', perCallUsd: '0.01' },
  });
  const first = await set({ inputUsd: '1', outputUsd: '5' });
  expect(first.reply.prices).toMatchObject({ cachedInputUsd: '0.2', perCallUsd: '0.01' });
  await set({ inputUsd: '1', outputUsd: '5', cachedInputUsd: '0.3', perCallUsd: null });
  const last = await set({ inputUsd: '1', outputUsd: '4' });
  expect(last.reply.prices).toMatchObject({ cachedInputUsd: '0.3', perCallUsd: '0' });
});

it('a price that is announced is seen with its time, and can be withdrawn', async () => {
  await begin();
  const made = await set({ inputUsd: '1', outputUsd: '5', effectiveFrom: BEGIN });
  expect(made.reply.state).toBe('future');
  expect(await inputs(owner)).toEqual([false, '2', '2', BEGIN, '1']);
  await end(END);
  expect(
    (await list()).map(({ prices, effectiveFrom }) => [prices?.inputUsd, effectiveFrom]),
  ).toEqual([
    [undefined, END],
    ['1', BEGIN],
  ]);
  expect((await withdraw(END)).status).toBe(204);
  expect((await withdraw(BEGIN)).status).toBe(204);
  expect(await list(await fixture.support())).toEqual([]);
  expect(await inputs(owner)).toEqual([false, '2', '2', undefined, undefined]);
});

it('the next price of all is not announced to an account whose own price goes on', async () => {
  await begin();
  const params = { modelId: catalog.modelId };
  const next = { inputUsd: '6', outputUsd: '30', effectiveFrom: BEGIN };
  await fixture.ask('createPrice', { as: admin, params, body: next });
  await until('it is announced', async () => (await seenBy(undefined))?.next != null);
  await set({ inputUsd: '1', outputUsd: '5', effectiveFrom: END });
  // The price of all comes before its own.
  expect(await inputs(owner)).toEqual([false, '2', '2', BEGIN, '6']);
  await set({ inputUsd: '1.5', outputUsd: '5' });
  expect(await inputs(owner)).toEqual([true, '1.5', '1.5', END, '1']);
  await withdraw(END);
  expect(await inputs(owner)).toEqual([true, '1.5', '1.5', undefined, undefined]);
  // When it ends, the account pays what all pay then.
  await end(NEVER);
  expect(await inputs(owner)).toEqual([true, '1.5', '1.5', NEVER, '6']);
});

it('a price ends: the account pays what all pay', async () => {
  await begin();
  await set({ inputUsd: '1', outputUsd: '5' });
  const ended = await end();
  expect(ended.reply).toMatchObject({ prices: null, state: 'in_force' });
  expect(await inputs(owner)).toEqual([false, '2', '2', undefined, undefined]);
  expect((await list()).map(({ state }) => state)).toEqual(['in_force', 'past']);
});

it('a model names the accounts that pay a price of their own, until it has ended', async () => {
  await begin();
  const params = { modelId: catalog.modelId };
  const seen = async () =>
    (await fixture.ask('listModelAccountPrices', { as: admin, params })).reply.data.map(
      ({ accountId, prices, state }) => [accountId, prices?.inputUsd, state],
    );
  expect(await seen()).toEqual([]);
  await set({ inputUsd: '3', outputUsd: '5' });
  await set({ inputUsd: '1', outputUsd: '5' });
  await set({ inputUsd: '2', outputUsd: '5', effectiveFrom: BEGIN });
  const { accountId } = owner;
  expect(await seen()).toEqual([
    [accountId, '1', 'in_force'],
    [accountId, '2', 'future'],
  ]);
  await withdraw(BEGIN);
  await end();
  expect(await seen()).toEqual([]);
});

it('prices go with their model and with a deleted account', async () => {
  await begin();
  await set({ inputUsd: '1', outputUsd: '5' });
  const { accountId } = owner;
  const rows = async () =>
    (await fixture.pool.query('select from account_prices where account_id = $1', [accountId])).rows
      .length;
  await fixture.ask('deleteAccount', { as: admin, params: { accountId } });
  expect(await rows()).toBe(0);
  const other = await fixture.user();
  owner = other;
  await set({ inputUsd: '1', outputUsd: '5' });
  const params = { modelId: catalog.modelId };
  await fixture.ask('updateModel', { as: admin, params, anyVersion: true, body: { groupIds: [] } });
  await fixture.ask('deleteModel', { as: admin, params });
  expect(await list()).toEqual([]);
});
