import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY_BATCH_MAX, KEYS_PER_ACCOUNT_MAX, type KeyBatchCreate } from '@weir/shared/people/keys';
import { verifyKey } from '../../../../gateway/data-plane/authentication/verify-key.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const NOBODY = '00000000-0000-7000-8000-000000000000';

interface Asked {
  readonly as: Person;
  readonly body?: Partial<KeyBatchCreate> | object;
  readonly headers?: Readonly<Record<string, string>>;
}

function makeBatch({ as, body, headers = {} }: Asked) {
  return fixture.ask('createKeyBatch', {
    as,
    headers,
    body: { namePrefix: 'Team', count: 3, groupId: catalog.groupId, ...body },
  });
}

async function keyCount({ accountId }: Person): Promise<number> {
  const { rows } = await fixture.pool.query<{ count: number }>(
    'select count(*)::integer as count from keys where account_id = $1',
    [accountId],
  );
  return rows[0]?.count ?? -1;
}

async function fillUp({ accountId }: Person, count: number): Promise<void> {
  await fixture.pool.query(
    `insert into keys (id, account_id, group_id, name, digest, prefix)
     select gen_random_uuid(), $1, $2, 'many', sha256(($4 || n::text)::bytea), 'sk-many'
     from generate_series(1, $3) n`,
    [accountId, catalog.groupId, count, accountId],
  );
}

describe('a batch of keys', () => {
  it('is keys that work, numbered, with the limits of the batch', async () => {
    const owner = await fixture.user();
    const limits = {
      expiresAt: '2100-01-01T00:00:00.000Z',
      budgetMonthUsd: '5',
      rpm: 7,
      ipAllowlist: ['203.0.113.0/24'],
      modelAllowlist: [catalog.publicId],
    };
    const made = await makeBatch({
      as: owner,
      body: { namePrefix: ' Team ', count: 10, ...limits },
    });
    expect(made.status).toBe(201);
    const { keys } = made.reply;
    const names = keys.map(({ name }) => name);
    expect(names.at(0)).toBe('Team 01');
    expect(names.at(-1)).toBe('Team 10');
    expect(new Set(keys.map(({ value }) => value)).size).toBe(10);
    for (const { id, value } of keys) {
      expect(await verifyKey(fixture.pool, TEST_SECRETS, value ?? '')).toMatchObject({
        keyId: id,
        rpm: 7,
      });
    }
    const listed = await fixture.ask('listKeys', { as: owner });
    expect(listed.reply.data.map(({ name }) => name)).toEqual(names);
    expect(listed.reply.data[0]).toMatchObject(limits);
  });

  it('shows its values once and keeps them nowhere, also not for a repeat', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'one-batch-of-keys' };
    const first = await makeBatch({ as: owner, headers });
    const again = await makeBatch({ as: owner, headers });
    expect(again.status).toBe(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.reply.keys).toEqual(first.reply.keys.map((key) => ({ ...key, value: null })));
    expect(await keyCount(owner)).toBe(3);
    const { rows } = await fixture.pool.query(
      `select reply_sealed from idempotency_keys where key = 'one-batch-of-keys'`,
    );
    expect(rows).toEqual([{ reply_sealed: null }]);
  });

  it('is made once by requests that come together, and by one after a crash', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'keys-at-once' };
    const answers = await Promise.all([1, 2, 3].map(() => makeBatch({ as: owner, headers })));
    expect(answers.map(({ status }) => status)).toContain(201);
    // The lock of a process that died: it has run out, and nothing was remembered.
    await fixture.pool.query(
      `update idempotency_keys set locked_until = now() - interval '1 second' where key = 'keys-at-once'`,
    );
    expect((await makeBatch({ as: owner, headers })).reply.keys).toHaveLength(3);
    expect(await keyCount(owner)).toBe(3);
  });

  it('is not made again when its keys were deleted meanwhile', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'deleted-keys' };
    const { keys } = (await makeBatch({ as: owner, headers })).reply;
    for (const { id } of keys) await fixture.ask('deleteKey', { as: owner, params: { keyId: id } });
    expect((await makeBatch({ as: owner, headers })).reply.keys).toEqual([]);
    expect(await keyCount(owner)).toBe(3);
  });

  it('is all or nothing beyond what an account may have, and says how much room there is', async () => {
    const owner = await fixture.user();
    await fillUp(owner, KEYS_PER_ACCOUNT_MAX - 2);
    const refused = await makeBatch({ as: owner });
    expect(refused.problem).toMatchObject({ code: 'limit_reached' });
    expect(refused.problem.detail).toContain('room for 2 more');
    expect(await keyCount(owner)).toBe(KEYS_PER_ACCOUNT_MAX - 2);
    expect((await makeBatch({ as: owner, body: { count: 2 } })).status).toBe(201);
    expect((await makeBatch({ as: owner, body: { count: 1 } })).problem.detail).toContain('Delete');
  });

  it('shares the room with other batches at once', async () => {
    const owner = await fixture.user();
    await fillUp(owner, KEYS_PER_ACCOUNT_MAX - 5);
    const answers = await Promise.all([1, 2, 3].map(() => makeBatch({ as: owner })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await keyCount(owner)).toBe(KEYS_PER_ACCOUNT_MAX - 2);
  });

  it.each([
    [{ namePrefix: '' }, 'namePrefix'],
    [{ namePrefix: ' ' }, 'namePrefix'],
    [{ namePrefix: 'x'.repeat(97) }, 'namePrefix'],
    [{ count: 0 }, 'count'],
    [{ count: KEY_BATCH_MAX + 1 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ groupId: NOBODY }, 'groupId'],
    [{ rpm: 0 }, 'rpm'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ modelAllowlist: ['not-in-the-group'] }, 'modelAllowlist'],
    [{ accountId: NOBODY }, 'accountId'],
  ])('is refused with %j', async (body, field) => {
    const owner = await fixture.user();
    const refused = await makeBatch({ as: owner, body });
    expect(refused.status).toBe(400);
    expect(refused.problem.errors?.[0]?.field.split('.')[0]).toBe(field);
    expect(await keyCount(owner)).toBe(0);
  });

  it('has room for the longest name and the largest count', async () => {
    const owner = await fixture.user();
    const body = { namePrefix: 'x'.repeat(96), count: KEY_BATCH_MAX };
    const { keys } = (await makeBatch({ as: owner, body })).reply;
    expect(keys).toHaveLength(KEY_BATCH_MAX);
    expect(keys.at(-1)?.name).toBe(`${'x'.repeat(96)} 100`);
  });
});

describe('a batch for a customer', () => {
  function makeFor(accountId: string, headers: Readonly<Record<string, string>> = {}) {
    const body = { accountId, namePrefix: 'Class', count: 2, groupId: catalog.groupId };
    return fixture.ask('createKeyBatchForAccount', { as: admin, headers, body });
  }

  it('belongs to the account, and is in the audit log once, without values', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'for-a-customer' };
    const { keys } = (await makeFor(owner.accountId, headers)).reply;
    await makeFor(owner.accountId, headers);
    expect((await fixture.ask('listKeys', { as: owner })).reply.data).toHaveLength(2);
    const query = { action: 'createKeyBatchForAccount', subjectId: owner.accountId };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data).toHaveLength(1);
    expect(log.reply.data[0]).toMatchObject({
      after: { namePrefix: 'Class', count: 2, keyIds: keys.map(({ id }) => id) },
    });
    for (const { value } of keys) expect(log.text).not.toContain(value);
  });

  it('is refused for an account that is not there, or was deleted', async () => {
    expect((await makeFor(NOBODY)).problem.errors?.[0]?.field).toBe('accountId');
    const owner = await fixture.user();
    await fixture.ask('deleteAccount', { as: admin, params: { accountId: owner.accountId } });
    expect((await makeFor(owner.accountId)).problem.errors?.[0]?.field).toBe('accountId');
    expect(await keyCount(owner)).toBe(0);
  });
});

describe('an administrator’s own batch', () => {
  it('is in the audit log; a customer’s own is not', async () => {
    const owner = await fixture.user();
    await makeBatch({ as: owner });
    await makeBatch({ as: admin });
    const query = { action: 'createKeyBatch' };
    const { data } = (await fixture.ask('listAuditEntries', { as: admin, query })).reply;
    expect(data.map(({ userId }) => userId)).toEqual([admin.userId]);
  });
});

describe('a customer’s key, deleted by an administrator', () => {
  it('is gone for good, with an entry in the audit log', async () => {
    const owner = await fixture.user();
    const [key] = (await makeBatch({ as: owner, body: { count: 1 } })).reply.keys;
    if (key === undefined) throw new Error('no key was made');
    const params = { keyId: key.id };
    expect((await fixture.ask('deleteKeyOfAnyone', { as: admin, params })).status).toBe(204);
    expect((await fixture.ask('getKey', { as: owner, params })).problem.code).toBe('not_found');
    expect(await verifyKey(fixture.pool, TEST_SECRETS, key.value ?? '')).toMatchObject({
      status: 'deleted',
    });
    const again = await fixture.ask('deleteKeyOfAnyone', { as: admin, params });
    expect(again.problem.code).toBe('not_found');
    const query = { action: 'deleteKeyOfAnyone', subjectId: key.id };
    const { data } = (await fixture.ask('listAuditEntries', { as: admin, query })).reply;
    expect(data).toMatchObject([{ before: { name: 'Team 1' }, after: null }]);
  });
});
