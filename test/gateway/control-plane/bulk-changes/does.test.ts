import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

async function linesOf({ id }: BulkChangeReport) {
  const params = { bulkChangeId: id ?? '' };
  return (await fixture.ask('listBulkChangeLines', { as: admin, params })).reply.data;
}

describe('keys of many accounts', () => {
  async function keysOf(person: Person, names: readonly string[], groupId: string) {
    const made = names.map((name) =>
      fixture.ask('createKey', { as: person, body: { name, groupId } }),
    );
    return (await Promise.all(made)).map(({ reply }) => reply.id);
  }

  async function group(name: string, access: 'public' | 'chosen' = 'public') {
    return (await fixture.ask('createGroup', { as: admin, body: { name, access } })).reply.id;
  }

  it('are disabled, limited, moved and deleted', async () => {
    const [from, to] = [await group('bulk from'), await group('bulk to')];
    const owner = await fixture.user();
    const ids = await keysOf(owner, ['one', 'two', 'three'], from);
    const change = (body: object) =>
      fixture.ask('changeKeysInBulk', { as: admin, body: { ids, ...body } });
    const read = async () => (await fixture.ask('listKeys', { as: owner })).reply.data;

    expect((await change({ status: 'disabled' })).reply.changed).toBe(3);
    expect((await read()).map(({ status }) => status)).toEqual(Array(3).fill('disabled'));
    const own = { ids, status: 'active' as const };
    const refused = await fixture.ask('changeOwnKeysInBulk', { as: owner, body: own });
    expect(refused.reply).toMatchObject({ changed: 0, notChangedCount: 3 });
    expect(refused.reply.notChanged[0]?.reason).toBe('disabled_by_admin');
    expect((await change({ status: 'disabled' })).reply.notChanged[0]?.reason).toBe('unchanged');
    await change({ status: 'active' });

    await change({ rpm: 7, budgetDayUsd: '1.5' });
    expect((await read())[0]).toMatchObject({ rpm: 7, budgetDayUsd: '1.5' });
    const moved = await change({ groupId: to });
    expect(moved.reply.lines[0]).toMatchObject({
      before: { group: 'bulk from' },
      after: { group: 'bulk to' },
    });
    expect((await read()).map(({ groupName }) => groupName)).toEqual(Array(3).fill('bulk to'));
    expect((await change({ delete: true })).reply.changed).toBe(3);
    expect(await read()).toEqual([]);
    expect((await change({ delete: true })).reply.notChanged[0]?.reason).toBe('not_found');
  });

  it('stay in their group where the account may not use the other one', async () => {
    const [from, closed] = [await group('bulk open'), await group('bulk closed', 'chosen')];
    const [chosen, other] = [await fixture.user(), await fixture.user()];
    const accountIds = [chosen.accountId];
    const params = { groupId: closed };
    await fixture.ask('addGroupAccounts', { as: admin, params, body: { accountIds } });
    const ids = [
      ...(await keysOf(chosen, ['may'], from)),
      ...(await keysOf(other, ['may not'], from)),
    ];
    const body = { ids, groupId: closed };
    const { reply } = await fixture.ask('changeKeysInBulk', { as: admin, body });
    expect(reply).toMatchObject({ changed: 1, notChangedCount: 1 });
    expect(reply.notChanged[0]).toMatchObject({ name: 'may not', reason: 'group_closed' });
  });

  it('are found by the history of each of them', async () => {
    const groupId = await group('bulk history');
    const owner = await fixture.user();
    const [keyId = ''] = await keysOf(owner, ['remembered key'], groupId);
    const body = { ids: [keyId], status: 'disabled' as const };
    const { reply } = await fixture.ask('changeKeysInBulk', { as: admin, body });
    for (const query of [{ subjectId: keyId }, { subject: 'remembered k' }]) {
      const found = await fixture.ask('listAuditEntries', { as: admin, query });
      expect(found.reply.data.map(({ subjectId }) => subjectId)).toEqual([reply.id]);
    }
  });

  it('of an account that is erased keep no name in the lines', async () => {
    const groupId = await group('bulk erased');
    const owner = await fixture.user();
    const ids = await keysOf(owner, ['Erika Mustermann'], groupId);
    const body = { ids, status: 'disabled' as const };
    const { reply } = await fixture.ask('changeKeysInBulk', { as: admin, body });
    const params = { accountId: owner.accountId };
    const note = 'Erika called, again';
    await fixture.ask('updateAccount', { as: admin, params, anyVersion: true, body: { note } });
    expect((await fixture.ask('deleteAccount', { as: admin, params })).status).toBe(204);
    expect(JSON.stringify(await linesOf(reply))).not.toContain('Erika');
    const { reply: log } = await fixture.ask('listAuditEntries', { as: admin });
    expect(JSON.stringify(log)).not.toContain('Erika called');
  });
});

describe('many accounts', () => {
  async function people(count: number): Promise<Person[]> {
    return Promise.all(Array.from({ length: count }, () => fixture.user()));
  }

  it('are suspended, and never that of the operator', async () => {
    const found = await people(2);
    const ids = [...found.map(({ accountId }) => accountId), admin.accountId];
    const body = { ids, status: 'suspended' as const };
    const { reply } = await fixture.ask('changeAccountsInBulk', { as: admin, body });
    expect(reply).toMatchObject({ changed: 2, notChangedCount: 1 });
    expect(reply.notChanged[0]?.reason).toBe('own_account');
  });

  it('get credit once each, also when the request is repeated', async () => {
    const found = await people(3);
    const ids = found.map(({ accountId }) => accountId);
    const headers = { 'idempotency-key': 'bulk-credit-1' };
    const body = { ids, credit: { amountUsd: '2.5', reason: 'an outage' } };
    const first = await fixture.ask('changeAccountsInBulk', { as: admin, body, headers });
    expect(first.reply.changed).toBe(3);
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    await fixture.ask('changeAccountsInBulk', { as: admin, body, headers });
    for (const accountId of ids) {
      const { reply } = await fixture.ask('listCredits', { as: admin, query: { accountId } });
      expect(reply.data).toMatchObject([{ amountUsd: '2.5', reason: 'an outage' }]);
    }
  });

  it('get a group with a price of their own, and lose it', async () => {
    const made = { name: 'bulk group', access: 'chosen' as const };
    const groupId = (await fixture.ask('createGroup', { as: admin, body: made })).reply.id;
    const ids = (await people(2)).map(({ accountId }) => accountId);
    const give = { ids, group: { groupId, multiplier: '0.8' } };
    const given = await fixture.ask('changeAccountsInBulk', { as: admin, body: give });
    expect(given.reply.lines[0]).toMatchObject({
      before: { group: null },
      after: { group: 'bulk group', multiplier: '0.8' },
    });
    const params = { groupId };
    const members = async () =>
      (await fixture.ask('listGroupAccounts', { as: admin, params })).reply.data;
    expect((await members()).map(({ multiplier }) => multiplier)).toEqual(['0.8', '0.8']);
    const take = { ids, group: { groupId, take: true as const } };
    await fixture.ask('changeAccountsInBulk', { as: admin, body: take });
    expect(await members()).toEqual([]);
  });
});

describe('channels and codes', () => {
  it('channels get a priority together', async () => {
    const made = ['bulk a', 'bulk b'].map((name) =>
      fixture.ask('createChannel', {
        as: admin,
        body: { name, baseUrl: 'https://192.0.2.1/v1', allowPrivate: true },
      }),
    );
    const ids = (await Promise.all(made)).map(({ reply }) => reply.id);
    const body = { ids, priority: 5, status: 'disabled' as const };
    const { reply } = await fixture.ask('changeChannelsInBulk', { as: admin, body });
    expect(reply.changed).toBe(2);
    const { data } = (await fixture.ask('listChannels', { as: admin })).reply;
    const changed = data.filter(({ id }) => ids.includes(id));
    expect(changed).toMatchObject(Array(2).fill({ priority: 5, status: 'disabled' }));
  });

  it('redeemed codes stay when the others of a batch are deleted', async () => {
    const batch = { name: 'bulk', count: 3, kind: 'balance' as const, amountUsd: '1' };
    const made = await fixture.ask('createRedemptionBatch', { as: admin, body: batch });
    const [code = ''] = made.reply.codes;
    await fixture.ask('redeemCode', { as: await fixture.user(), body: { code } });
    const batchId = made.reply.id;
    const body = { matching: { batchId, count: 3 }, delete: true as const };
    const { reply } = await fixture.ask('changeRedemptionCodesInBulk', { as: admin, body });
    expect(reply).toMatchObject({ changed: 2, notChangedCount: 1 });
    expect(reply.notChanged[0]?.reason).toBe('redeemed');
  });

  it('invitations are disabled, and named without their code', async () => {
    const made = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
    const body = { ids: [made.reply.id], status: 'disabled' as const };
    const { reply } = await fixture.ask('changeInvitationCodesInBulk', { as: admin, body });
    expect(reply.changed).toBe(1);
    expect(JSON.stringify(reply)).not.toContain(made.reply.code);
  });

  it('models in use are not deleted', async () => {
    const model = (publicId: string) =>
      fixture.ask('createModel', {
        as: admin,
        body: { publicId, contextTokensMax: 1, outputTokensMax: 1 },
      });
    const groupId = (await fixture.ask('createGroup', { as: admin, body: { name: 'uses' } })).reply
      .id;
    const [used, unused] = [await model('bulk-used'), await model('bulk-unused')];
    const grouped = { ids: [used.reply.id], groupIds: [groupId] };
    await fixture.ask('changeModelsInBulk', { as: admin, body: grouped });
    const ids = [used.reply.id, unused.reply.id];
    const body = { ids, delete: true as const };
    const { reply } = await fixture.ask('changeModelsInBulk', { as: admin, body });
    expect(reply).toMatchObject({ changed: 1, notChangedCount: 1 });
    expect(reply.notChanged[0]).toMatchObject({ name: 'bulk-used', reason: 'in_use' });
  });
});
