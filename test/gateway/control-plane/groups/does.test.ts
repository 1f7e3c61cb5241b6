import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('a group', () => {
  it('is made, changed and shown with all it has', async () => {
    const { modelId } = await makeCatalog(fixture, admin);
    const body = {
      name: 'Everyday',
      description: 'For every day',
      multiplier: '0.85',
      rpm: 60,
      tpm: 100_000,
      sortOrder: 3,
      modelIds: [modelId],
    };
    const made = await fixture.ask('createGroup', { as: admin, body });
    expect(made.reply).toMatchObject({ ...body, status: 'active', keysCount: 0, modelsCount: 1 });
    const params = { groupId: made.reply.id };
    const changed = await fixture.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params,
      body: { multiplier: '1.000001', modelIds: [], rpm: null },
    });
    expect(changed.reply).toMatchObject({
      multiplier: '1.000001',
      modelIds: [],
      rpm: null,
      tpm: 100_000,
    });
    expect((await fixture.ask('getGroup', { as: admin, params })).reply).toEqual(changed.reply);
  });

  it('is for all tools, or for those of some protocols', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const params = { groupId };
    const protocols = ['anthropic-messages' as const, 'openai-chat' as const];
    const before = await fixture.ask('getGroup', { as: admin, params });
    expect(before.reply.protocols).toBeNull();
    for (const wanted of [protocols, null]) {
      await fixture.ask('updateGroup', {
        as: admin,
        anyVersion: true,
        params,
        body: { protocols: wanted },
      });
      const person = await fixture.user();
      const { reply } = await fixture.ask('listGroups', { as: person });
      expect(reply.data.find(({ id }) => id === groupId)?.protocols).toEqual(wanted);
    }
  });

  it('comes last unless its position is named', async () => {
    const names = ['one', 'two', 'three'].map((name) => `${name} in a row`);
    for (const name of names) await fixture.ask('createGroup', { as: admin, body: { name } });
    const first = { name: 'zero in a row', sortOrder: -1 };
    await fixture.ask('createGroup', { as: admin, body: first });
    const { data } = (await fixture.ask('listGroups', { as: admin })).reply;
    const listed = data.map(({ name }) => name).filter((name) => name.endsWith('in a row'));
    expect(listed).toEqual([first.name, ...names]);
    expect(data.slice(-3).map(({ name }) => name)).toEqual(names);
  });

  it('leaves what it was and became in the audit log', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    await fixture.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId },
      body: { multiplier: '2' },
    });
    const log = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { subjectKind: 'group', subjectId: groupId },
    });
    expect(log.reply.data[0]).toMatchObject({
      action: 'updateGroup',
      userEmail: admin.email,
      address: '127.0.0.1',
      before: { multiplier: '1' },
      after: { multiplier: '2' },
    });
  });

  it('is for users to choose while it is active', async () => {
    const person = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    const ids = async (as: Person) =>
      (await fixture.ask('listGroups', { as })).reply.data.map(({ id }) => id);
    expect(await ids(person)).toContain(groupId);
    await fixture.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId },
      body: { status: 'disabled' },
    });
    expect(await ids(person)).not.toContain(groupId);
    expect(await ids(admin)).toContain(groupId);
  });

  it('that nothing uses is deleted', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const params = { groupId };
    expect((await fixture.ask('deleteGroup', { as: admin, params })).status).toBe(204);
    expect((await fixture.ask('getGroup', { as: admin, params })).status).toBe(404);
  });

  it('counts the keys that are made for it', async () => {
    const person = await fixture.user();
    const { groupId } = await makeCatalog(fixture, admin);
    await makeKey(fixture, person, groupId);
    const params = { groupId };
    expect((await fixture.ask('getGroup', { as: admin, params })).reply.keysCount).toBe(1);
  });
});
