import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
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

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('a key is refused', () => {
  it.each([
    [{ name: '' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ groupId: NOBODY }, 'groupId'],
    [{ rpm: 0 }, 'rpm'],
    [{ tpm: -1 }, 'tpm'],
    [{ concurrencyMax: 1.5 }, 'concurrencyMax'],
    [{ budgetDayUsd: '-1' }, 'budgetDayUsd'],
    [{ budgetDayUsd: 1 }, 'budgetDayUsd'],
    [{ budgetTotalUsd: '99999999' }, 'budgetTotalUsd'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ ipAllowlist: ['203.0.113.0/33'] }, 'ipAllowlist'],
    [{ ipAllowlist: ['localhost'] }, 'ipAllowlist'],
    [{ ipAllowlist: ['1:2:3'] }, 'ipAllowlist'],
    [{ modelAllowlist: ['not-in-the-group'] }, 'modelAllowlist'],
    [{ value: 'sk-chosen-by-me' }, 'value'],
    [{ accountId: NOBODY }, 'accountId'],
  ])('with %j', async (body, field) => {
    const made = await fixture.ask('createKey', {
      as: owner,
      body: { name: 'a key', groupId: catalog.groupId, ...body },
    });
    expect(made.status).toBe(400);
    expect(made.problem.errors?.[0]?.field.split('.')[0]).toBe(field);
  });

  it('with a model that is another group’s alone', async () => {
    const { publicId } = await makeCatalog(fixture, admin);
    const body = { name: 'a key', groupId: catalog.groupId, modelAllowlist: [publicId] };
    const made = await fixture.ask('createKey', { as: owner, body });
    expect(made.problem.errors?.[0]?.field).toBe('modelAllowlist');
  });

  it('for a group that is disabled', async () => {
    const other = await makeCatalog(fixture, admin);
    await fixture.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId: other.groupId },
      body: { status: 'disabled' },
    });
    const body = { name: 'a key', groupId: other.groupId };
    expect((await fixture.ask('createKey', { as: owner, body })).problem.code).toBe(
      'invalid_value',
    );
  });

  it('beyond the number there may be, also many at once', async () => {
    const person = await fixture.user();
    await fixture.pool.query(
      `insert into keys (id, account_id, group_id, name, digest, prefix)
       select gen_random_uuid(), $1, $2, 'many', sha256(('many' || n)::bytea), 'sk-many'
       from generate_series(1, 497) n`,
      [person.accountId, catalog.groupId],
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        fixture.ask('createKey', { as: person, body: { name: 'one', groupId: catalog.groupId } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.find(({ status }) => status !== 201)?.problem.code).toBe('limit_reached');
  });

  it('a group without the models that it is limited to', async () => {
    const other = await makeCatalog(fixture, admin);
    const made = await makeKey(fixture, owner, catalog.groupId);
    const change = (body: object) =>
      fixture.ask('updateKey', { as: owner, anyVersion: true, params: { keyId: made.id }, body });
    expect((await change({ modelAllowlist: [catalog.publicId] })).status).toBe(200);
    const refused = await change({ groupId: other.groupId });
    expect(refused.problem).toMatchObject({
      status: 400,
      errors: [{ field: 'modelAllowlist' }],
    });
    const moved = await change({ groupId: other.groupId, modelAllowlist: [] });
    expect(moved.reply).toMatchObject({ groupId: other.groupId, modelAllowlist: [] });
  });

  it('a change over one that was made meanwhile', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    const seen = await fixture.ask('getKey', { as: owner, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    const change = (rpm: number) =>
      fixture.ask('updateKey', { as: owner, params, headers, body: { rpm } });
    expect((await change(1)).status).toBe(200);
    expect((await change(2)).problem.code).toBe('precondition_failed');
  });
});

describe('someone else’s key', () => {
  const routes = [
    'getKey',
    'updateKey',
    'deleteKey',
    'rotateKey',
    'createTemporaryKeyValue',
  ] as const;

  it.each(routes)('is not there for %s', async (route) => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const stranger = await fixture.user();
    const body = { updateKey: { name: 'mine now' }, rotateKey: { overlapSeconds: 0 } };
    const tried = await fixture.ask(route, {
      as: stranger,
      anyVersion: true,
      params: { keyId: made.id },
      ...(route in body ? { body: body[route as keyof typeof body] } : {}),
    });
    expect(tried.problem).toMatchObject({ status: 404, code: 'not_found' });
    const after = await fixture.ask('getKey', { as: owner, params: { keyId: made.id } });
    expect(after.reply).toMatchObject({ name: made.name, prefix: made.prefix, status: 'active' });
  });
});

describe('a temporary value is refused', () => {
  it('for a disabled key, and beyond the number there may be', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    for (let index = 0; index < 20; index += 1) {
      await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    }
    const more = await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    expect(more.problem.code).toBe('limit_reached');
    await fixture.ask('updateKey', {
      as: owner,
      anyVersion: true,
      params,
      body: { status: 'disabled' },
    });
    const disabled = await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    expect(disabled.problem.code).toBe('state_conflict');
  });
});

describe('a key that an administrator disabled', () => {
  it('is not enabled by its owner, and by an administrator it is', async () => {
    const params = { keyId: (await makeKey(fixture, owner, catalog.groupId)).id };
    const set = (status: 'active' | 'disabled') => ({ anyVersion: true, params, body: { status } });
    await fixture.ask('updateKeyOfAnyone', { as: admin, ...set('disabled') });
    // Disabling it once more does not make it the owner's own doing.
    await fixture.ask('updateKey', { as: owner, ...set('disabled') });
    const refused = await fixture.ask('updateKey', { as: owner, ...set('active') });
    expect(refused.problem).toMatchObject({
      code: 'state_conflict',
      errors: [{ field: 'status' }],
    });
    const enabled = await fixture.ask('updateKeyOfAnyone', { as: admin, ...set('active') });
    expect(enabled.reply.status).toBe('active');
    await fixture.ask('updateKey', { as: owner, ...set('disabled') });
    expect((await fixture.ask('updateKey', { as: owner, ...set('active') })).status).toBe(200);
  });
});
