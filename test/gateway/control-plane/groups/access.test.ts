/** For whom a group is: what accounts see, choose, enter a code for and pay. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const change = (groupId: string, body: object) =>
  fixture.ask('updateGroup', { as: admin, anyVersion: true, params: { groupId }, body });

async function catalogFor(access: 'code' | 'chosen'): Promise<Catalog> {
  const catalog = await makeCatalog(fixture, admin);
  await change(catalog.groupId, { access, multiplier: '0.5' });
  // The catalog behind the price list is read at most once a second.
  await until('the group is listed', async () => {
    return (await seenBy(admin, catalog.groupId)) === '0.5';
  });
  return catalog;
}

const give = (groupId: string, to: readonly Person[], multiplier?: string | null) =>
  fixture.ask('addGroupAccounts', {
    as: admin,
    params: { groupId },
    body: {
      accountIds: to.map(({ accountId }) => accountId),
      ...(multiplier === undefined ? {} : { multiplier }),
    },
  });

const take = (groupId: string, { accountId }: Person) =>
  fixture.ask('removeGroupAccount', { as: admin, params: { groupId, accountId } });

async function seenBy(as: Person | undefined, groupId: string): Promise<string | undefined> {
  const { reply } = await fixture.ask('getPricing', { as });
  return reply.groups.find(({ id }) => id === groupId)?.multiplier;
}

async function codeOf(groupId: string): Promise<string> {
  const { reply } = await fixture.ask('getGroupCode', { as: admin, params: { groupId } });
  if (reply.code === null) throw new Error('a group for a code has none');
  return reply.code;
}

describe('a group', () => {
  it('is for all accounts unless it is said otherwise', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const { reply } = await fixture.ask('getGroup', { as: admin, params: { groupId } });
    expect(reply).toMatchObject({ access: 'public', open: true });
    expect(await seenBy(undefined, groupId)).toBe('1');
    const { reply: key } = await fixture.ask('createKey', {
      as: await fixture.user(),
      body: { name: 'a key', groupId },
    });
    expect(key.groupState).toBe('open');
  });

  it('that is for chosen accounts is shown to them alone, and to administrators', async () => {
    const { groupId, publicId } = await catalogFor('chosen');
    const people = [await fixture.user(), await fixture.user()] as const;
    const [owner, stranger] = people;
    expect((await give(groupId, [owner])).reply.data).toMatchObject([
      { accountId: owner.accountId, joinedBy: 'operator', multiplier: null },
    ]);
    expect(await seenBy(owner, groupId)).toBe('0.5');
    expect(await seenBy(stranger, groupId)).toBeUndefined();
    expect(await seenBy(undefined, groupId)).toBeUndefined();
    expect(await seenBy(admin, groupId)).toBe('0.5');
    const models = async (as: Person) =>
      (await fixture.ask('getPricing', { as })).reply.models.map((model) => model.publicId);
    expect(await models(owner)).toContain(publicId);
    expect(await models(stranger)).not.toContain(publicId);
    const names = async (as: Person) =>
      (await fixture.ask('listModelNames', { as })).reply.data.map((model) => model.publicId);
    for (const one of [...people, admin]) expect(await names(one)).toEqual(await models(one));
    expect((await makeKey(fixture, owner, groupId)).groupId).toBe(groupId);
  });

  it('for an account at a price of its own is listed at that price, to this account', async () => {
    const { groupId, publicId } = await catalogFor('chosen');
    const [owner, other] = [await fixture.user(), await fixture.user()];
    await give(groupId, [owner, other]);
    await give(groupId, [owner], '0.333333');
    expect(await seenBy(owner, groupId)).toBe('0.333333');
    expect(await seenBy(other, groupId)).toBe('0.5');
    const { models } = (await fixture.ask('getPricing', { as: owner })).reply;
    const listed = models.find((model) => model.publicId === publicId)?.groups;
    // 2 and 10 USD; rounded up to a whole nanodollar, as a bill is.
    expect(listed?.[0]?.prices).toMatchObject({ inputUsd: '0.666666', outputUsd: '3.33333' });
    const groups = (await fixture.ask('listGroups', { as: owner })).reply.data;
    expect(groups.find(({ id }) => id === groupId)?.multiplier).toBe('0.333333');
    const params = { accountId: owner.accountId };
    const given = await fixture.ask('listAccountGroups', { as: await fixture.support(), params });
    expect(given.reply.data).toMatchObject([
      { groupId, groupMultiplier: '0.5', multiplier: '0.333333' },
    ]);
    // Given again without a price, it keeps the one that it has; null takes it away.
    await give(groupId, [owner]);
    expect(await seenBy(owner, groupId)).toBe('0.333333');
    await give(groupId, [owner], null);
    expect(await seenBy(owner, groupId)).toBe('0.5');
  });

  it('opens to an account that enters its code once, and to none that enters a former one', async () => {
    const { groupId } = await catalogFor('code');
    const [first, second] = [await fixture.user(), await fixture.user()];
    const code = await codeOf(groupId);
    const enter = (as: Person, entered: string) =>
      fixture.ask('redeemCode', { as, body: { code: entered } });
    // As people type it; a second time changes nothing.
    for (const typed of [code.toLowerCase().replaceAll('-', ' '), code]) {
      const { reply } = await enter(first, typed);
      expect(reply).toMatchObject({ kind: 'group', group: { id: groupId }, amountUsd: null });
    }
    const { reply: replaced } = await fixture.ask('replaceGroupCode', {
      as: admin,
      params: { groupId },
    });
    expect((await enter(second, code)).problem.code).toBe('code_unknown');
    expect(await seenBy(first, groupId)).toBe('0.5');
    expect(await seenBy(second, groupId)).toBeUndefined();
    expect((await enter(second, replaced.code ?? '')).status).toBe(201);
    const { reply } = await fixture.ask('listGroupAccounts', { as: admin, params: { groupId } });
    expect(reply.data.map(({ joinedBy }) => joinedBy)).toEqual(['code', 'code']);
    await change(groupId, { access: 'chosen' });
    const third = await fixture.user();
    expect((await enter(third, replaced.code ?? '')).problem.code).toBe('code_unknown');
  });

  it('keeps its accounts when it becomes public and closed again', async () => {
    const { groupId } = await catalogFor('chosen');
    const owner = await fixture.user();
    await give(groupId, [owner]);
    for (const access of ['public', 'code', 'chosen']) await change(groupId, { access });
    expect(await seenBy(owner, groupId)).toBe('0.5');
  });

  it('leaves every change of its accounts in the audit log, without the code', async () => {
    const { groupId } = await catalogFor('code');
    const owner = await fixture.user();
    await give(groupId, [owner], '0.9');
    await take(groupId, owner);
    await fixture.ask('replaceGroupCode', { as: admin, params: { groupId } });
    const { text, reply } = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { subjectKind: 'group', subjectId: groupId },
    });
    const actions = reply.data.slice(0, 3).map(({ action }) => action);
    expect(actions).toEqual(['replaceGroupCode', 'removeGroupAccount', 'addGroupAccounts']);
    expect(text).toContain(owner.accountId);
    expect(text).not.toContain(await codeOf(groupId));
  });
});

describe('a group that is taken away', () => {
  it('leaves its keys, which say so and can be given another', async () => {
    const { groupId } = await catalogFor('chosen');
    const open = await makeCatalog(fixture, admin);
    const owner = await fixture.user();
    await give(groupId, [owner]);
    const key = await makeKey(fixture, owner, groupId);
    const params = { keyId: key.id };
    expect((await take(groupId, owner)).status).toBe(204);
    const seen = await fixture.ask('getKey', { as: owner, params });
    expect(seen.reply).toMatchObject({ groupId, groupState: 'closed', status: 'active' });
    const lent = await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    expect(lent.problem.code).toBe('state_conflict');
    const moved = await fixture.ask('updateKey', {
      as: owner,
      anyVersion: true,
      params,
      body: { groupId: open.groupId },
    });
    expect(moved.reply).toMatchObject({ groupId: open.groupId, groupState: 'open' });
    const again = await take(groupId, owner);
    expect(again.problem.code).toBe('not_found');
  });

  it('goes with an account that is deleted', async () => {
    const { groupId } = await catalogFor('chosen');
    const owner = await fixture.user();
    await give(groupId, [owner]);
    await fixture.ask('deleteAccount', { as: admin, params: { accountId: owner.accountId } });
    const { reply } = await fixture.ask('listGroupAccounts', { as: admin, params: { groupId } });
    expect(reply.data).toEqual([]);
    expect((await give(groupId, [owner])).problem).toMatchObject({
      errors: [{ field: 'accountIds' }],
    });
  });
});

describe('a plan', () => {
  it('is for sale to accounts that may use one of its groups', async () => {
    const [closed, open] = [await catalogFor('chosen'), await makeCatalog(fixture, admin)];
    const [owner, stranger] = [await fixture.user(), await fixture.user()];
    await give(closed.groupId, [owner]);
    const terms = { priceUsd: '0', allowances: [{ window: 'month', limitUsd: '20' }] };
    const make = async (name: string, groupIds: string[]) =>
      (await fixture.ask('createPlan', { as: admin, body: { name, groupIds, ...terms } })).reply.id;
    const hidden = await make(`hidden ${closed.groupId}`, [closed.groupId]);
    const both = await make(`both ${closed.groupId}`, [closed.groupId, open.groupId]);
    const offered = async (as: Person | undefined) => {
      const { reply } = await fixture.ask('listPlansForSale', { as });
      return reply.data
        .filter(({ id }) => [hidden, both].includes(id))
        .map(({ groups }) => groups.map(({ id }) => id).toSorted());
    };
    const all = [closed.groupId, open.groupId].toSorted();
    expect(await offered(owner)).toEqual(expect.arrayContaining([[closed.groupId], all]));
    expect(await offered(stranger)).toEqual([[open.groupId]]);
    expect(await offered(undefined)).toEqual([[open.groupId]]);
    const buy = (as: Person, planId: string) =>
      fixture.ask('buySubscription', { as, body: { planId } });
    const nobody = '00000000-0000-7000-8000-000000000000';
    const refused = (await buy(stranger, hidden)).problem;
    expect(refused).toEqual({
      ...(await buy(stranger, nobody)).problem,
      requestId: refused.requestId,
    });
    expect((await buy(stranger, both)).reply.groups.map(({ id }) => id)).toEqual([open.groupId]);
    expect((await buy(owner, hidden)).status).toBe(201);
  });
});
