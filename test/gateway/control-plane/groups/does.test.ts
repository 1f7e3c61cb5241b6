import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { layAdminGround, type AdminGround, type Person } from '../support/ground.ts';

let ground: AdminGround;
let admin: Person;

beforeAll(async () => {
  ground = await layAdminGround();
  admin = await ground.admin();
});
afterAll(() => ground.close());

describe('a group', () => {
  it('is made, changed and shown with all it has', async () => {
    const { modelId } = await makeCatalog(ground, admin);
    const body = {
      name: 'Everyday',
      description: 'For every day',
      multiplier: '0.85',
      rpm: 60,
      tpm: 100_000,
      sortOrder: 3,
      modelIds: [modelId],
    };
    const made = await ground.ask('createGroup', { as: admin, body });
    expect(made.reply).toMatchObject({ ...body, status: 'active', keysCount: 0, modelsCount: 1 });
    const params = { groupId: made.reply.id };
    const changed = await ground.ask('updateGroup', {
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
    expect((await ground.ask('getGroup', { as: admin, params })).reply).toEqual(changed.reply);
  });

  it('is for all tools, or for those of some protocols', async () => {
    const { groupId } = await makeCatalog(ground, admin);
    const params = { groupId };
    const protocols = ['anthropic-messages' as const, 'openai-chat' as const];
    const before = await ground.ask('getGroup', { as: admin, params });
    expect(before.reply.protocols).toBeNull();
    for (const wanted of [protocols, null]) {
      await ground.ask('updateGroup', {
        as: admin,
        anyVersion: true,
        params,
        body: { protocols: wanted },
      });
      const person = await ground.user();
      const { reply } = await ground.ask('listGroups', { as: person });
      expect(reply.data.find(({ id }) => id === groupId)?.protocols).toEqual(wanted);
    }
  });

  it('comes last unless its position is named', async () => {
    const names = ['one', 'two', 'three'].map((name) => `${name} in a row`);
    for (const name of names) await ground.ask('createGroup', { as: admin, body: { name } });
    const first = { name: 'zero in a row', sortOrder: -1 };
    await ground.ask('createGroup', { as: admin, body: first });
    const { data } = (await ground.ask('listGroups', { as: admin })).reply;
    const listed = data.map(({ name }) => name).filter((name) => name.endsWith('in a row'));
    expect(listed).toEqual([first.name, ...names]);
    expect(data.slice(-3).map(({ name }) => name)).toEqual(names);
  });

  it('leaves what it was and became in the audit log', async () => {
    const { groupId } = await makeCatalog(ground, admin);
    await ground.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId },
      body: { multiplier: '2' },
    });
    const log = await ground.ask('listAuditEntries', {
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
    const person = await ground.user();
    const { groupId } = await makeCatalog(ground, admin);
    const ids = async (as: Person) =>
      (await ground.ask('listGroups', { as })).reply.data.map(({ id }) => id);
    expect(await ids(person)).toContain(groupId);
    await ground.ask('updateGroup', {
      as: admin,
      anyVersion: true,
      params: { groupId },
      body: { status: 'disabled' },
    });
    expect(await ids(person)).not.toContain(groupId);
    expect(await ids(admin)).toContain(groupId);
  });

  it('that nothing uses is deleted', async () => {
    const { groupId } = await makeCatalog(ground, admin);
    const params = { groupId };
    expect((await ground.ask('deleteGroup', { as: admin, params })).status).toBe(204);
    expect((await ground.ask('getGroup', { as: admin, params })).status).toBe(404);
  });

  it('counts the keys that are made for it', async () => {
    const person = await ground.user();
    const { groupId } = await makeCatalog(ground, admin);
    await makeKey(ground, person, groupId);
    const params = { groupId };
    expect((await ground.ask('getGroup', { as: admin, params })).reply.keysCount).toBe(1);
  });
});
