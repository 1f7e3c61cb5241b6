import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BulkChangeReport } from '@weir/shared/bulk-changes';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

async function entries(action: string) {
  const { reply } = await fixture.ask('listAuditEntries', { as: admin, query: { action } });
  return reply.data;
}

async function linesOf({ id }: BulkChangeReport) {
  const params = { bulkChangeId: id ?? '' };
  return (await fixture.ask('listBulkChangeLines', { as: admin, params })).reply.data;
}

const MODELS = 300;

describe('prices of many models', () => {
  let prefix = '';
  let run = 0;

  beforeEach(async () => {
    run += 1;
    prefix = `run${String(run)}-`;
    await fixture.pool.query(
      `with made as (
         insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max)
         select gen_random_uuid(), $1 || lpad(n::text, 3, '0'), 'a model', 1000, 100
         from generate_series(0, $2 - 1) n returning id, public_id)
       insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd,
         cache_write_nano_usd, output_nano_usd)
       select id, now() - interval '1 day', 1010000000, 500000000, 1010000000,
         (right(public_id, 3)::bigint + 1) * 1000000000 from made`,
      [prefix, MODELS],
    );
  });

  const all = () => ({ search: prefix, count: MODELS });

  async function pricesNow() {
    const { rows } = await fixture.pool.query<{ name: string; input: number; output: number }>(
      `select public_id as name, p.input_nano_usd as input, p.output_nano_usd as output
       from models m cross join lateral (select * from prices p where p.model_id = m.id
         and p.effective_from <= clock_timestamp() order by p.effective_from desc limit 1) p
       where public_id like $1 order by public_id`,
      [`${prefix}%`],
    );
    return rows;
  }

  it('change in one call, with one audit entry and a line for each', async () => {
    const body = { matching: all(), percent: '10' };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(reply).toMatchObject({ dryRun: false, matched: MODELS, changed: MODELS });
    expect(reply.lines).toHaveLength(20);
    const prices = await pricesNow();
    expect(prices).toHaveLength(MODELS);
    expect(prices[2]).toMatchObject({ input: 1_111_000_000, output: 3_300_000_000 });
    const found = await entries('changePricesInBulk');
    expect(found.filter(({ subjectId }) => subjectId === reply.id)).toHaveLength(1);
    const [first, ...more] = await linesOf(reply);
    expect(more).toHaveLength(49);
    expect(first).toMatchObject({
      name: `${prefix}000`,
      before: { inputUsd: '1.01', outputUsd: '1', cachedInputUsd: '0.5' },
      after: { inputUsd: '1.111', outputUsd: '1.1', cachedInputUsd: '0.55' },
    });
  });

  it('are left alone by a dry run, which says what they would become', async () => {
    const body = { matching: all(), factor: '2', dryRun: true };
    const before = await pricesNow();
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(reply).toMatchObject({ id: null, dryRun: true, changed: MODELS });
    expect(reply.lines[0]?.after).toMatchObject({ inputUsd: '2.02' });
    expect(await pricesNow()).toEqual(before);
  });

  it('are rounded to a step', async () => {
    const asked = async (mode: 'nearest' | 'up' | 'down') => {
      const body = { matching: all(), factor: '1.1', dryRun: true };
      const rounding = { stepUsd: '0.05', mode };
      const { reply } = await fixture.ask('changePricesInBulk', {
        as: admin,
        body: { ...body, rounding },
      });
      return reply.lines[0]?.after;
    };
    expect(await asked('nearest')).toMatchObject({ inputUsd: '1.1' });
    expect(await asked('up')).toMatchObject({ inputUsd: '1.15', cachedInputUsd: '0.55' });
    expect(await asked('down')).toMatchObject({ inputUsd: '1.1', outputUsd: '1.1' });
  });

  it('are set, and what is not sent stays', async () => {
    const body = { matching: all(), set: { inputUsd: '0.9' } };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(reply.changed).toBe(MODELS);
    const [line] = await linesOf(reply);
    expect(line?.after).toMatchObject({ inputUsd: '0.9', outputUsd: '1', cachedInputUsd: '0.5' });
  });

  it('return to what they were when the change is undone, once', async () => {
    const before = await pricesNow();
    const body = { matching: all(), percent: '-20' };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    const params = { bulkChangeId: reply.id ?? '' };
    const undone = await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect(undone.reply.changed).toBe(MODELS);
    expect(await pricesNow()).toEqual(before);
    const again = await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect(again.problem).toMatchObject({ code: 'state_conflict' });
    // An undo is a bulk change like any other.
    const redo = { bulkChangeId: undone.reply.id ?? '' };
    await fixture.ask('undoBulkChange', { as: admin, params: redo, body: {} });
    expect((await pricesNow())[0]?.output).toBe(800_000_000);
  });

  it('are not undone where one of them has changed since', async () => {
    const body = { matching: all(), percent: '50' };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    const [line] = reply.lines;
    await fixture.ask('createPrice', {
      as: admin,
      params: { modelId: line?.id ?? '' },
      body: { inputUsd: '7', outputUsd: '7' },
    });
    const before = await pricesNow();
    const params = { bulkChangeId: reply.id ?? '' };
    const undone = await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect(undone.status).toBe(409);
    expect(undone.problem.detail).toContain(`The prices of ${prefix}000 have changed since.`);
    expect(await pricesNow()).toEqual(before);
  });

  it('begin at a time that is still to come, and are withdrawn by an undo', async () => {
    const effectiveFrom = '2100-01-01T00:00:00.000Z';
    const before = await pricesNow();
    const body = { matching: all(), factor: '3', effectiveFrom };
    const { reply } = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(await pricesNow()).toEqual(before);
    const modelId = reply.lines[0]?.id ?? '';
    const listed = async () =>
      (await fixture.ask('listPrices', { as: admin, params: { modelId } })).reply.data;
    expect((await listed())[0]).toMatchObject({ effectiveFrom, inputUsd: '3.03', state: 'future' });
    const params = { bulkChangeId: reply.id ?? '' };
    await fixture.ask('undoBulkChange', { as: admin, params, body: {} });
    expect((await listed()).map(({ state }) => state)).toEqual(['in_force']);
  });

  it('change once for a request that is repeated', async () => {
    const headers = { 'idempotency-key': `bulk-${prefix}` };
    const body = { matching: all(), factor: '2' };
    const first = await fixture.ask('changePricesInBulk', { as: admin, body, headers });
    const again = await fixture.ask('changePricesInBulk', { as: admin, body, headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.reply).toEqual(first.reply);
    // The reply was not remembered: the process ended before.
    await fixture.pool.query(
      'update idempotency_keys set reply_status = null, reply_sealed = null',
    );
    const late = await fixture.ask('changePricesInBulk', { as: admin, body, headers });
    expect(late.headers['idempotency-replayed']).toBe('true');
    expect(late.reply).toEqual(first.reply);
    expect((await pricesNow())[0]?.output).toBe(2_000_000_000);
  });

  it('change all or none when they are for a model that refuses', async () => {
    const { rows } = await fixture.pool.query<{ id: string }>(
      'select id from models where public_id = $1',
      [`${prefix}150`],
    );
    await fixture.ask('createPrice', {
      as: admin,
      params: { modelId: rows[0]?.id ?? '' },
      body: { inputUsd: '0.001', outputUsd: '0.001', cachedInputUsd: null },
    });
    const before = await pricesNow();
    const rounding = { stepUsd: '0.01', mode: 'nearest' as const };
    const body = { matching: all(), factor: '1.5', rounding };
    const refused = await fixture.ask('changePricesInBulk', { as: admin, body });
    expect(refused.problem.detail).toContain(`${prefix}150: a price would become 0.`);
    expect(await pricesNow()).toEqual(before);
  });
});

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
