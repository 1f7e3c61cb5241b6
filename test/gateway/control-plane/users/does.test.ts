import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('a user', () => {
  it('keeps language and theme', async () => {
    const person = await fixture.user();
    const body = { language: 'zh-CN', theme: 'dark' };
    await fixture.ask('updateOwnUser', { as: person, body });
    expect((await fixture.ask('getOwnUser', { as: person })).reply).toMatchObject(body);
    await fixture.ask('updateOwnUser', { as: person, body: { language: null } });
    expect((await fixture.ask('getOwnUser', { as: person })).reply).toMatchObject({
      language: null,
      theme: 'dark',
    });
  });
});

describe('an administrator', () => {
  it('finds users by part of the address, page by page', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `find_me.${letter}@example.net`);
    for (const name of names) await fixture.user(name);
    await fixture.user('findxme@example.net');
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { search: 'FIND_me', limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const page = (await fixture.ask('listUsers', { as: admin, query })).reply;
      expect(page.data.length).toBeLessThanOrEqual(2);
      found.push(...page.data.map(({ email }) => email));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(names);
  });

  it('makes an administrator, which works at once', async () => {
    const person = await fixture.user();
    const params = { userId: person.userId };
    expect((await fixture.ask('listUsers', { as: person })).status).toBe(403);
    const changed = await fixture.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params,
      body: { role: 'admin' },
    });
    expect(changed.reply.role).toBe('admin');
    expect((await fixture.ask('listUsers', { as: person })).status).toBe(200);
  });

  it('disables a user, whose sessions end, and enables them again', async () => {
    const person = await fixture.user();
    const params = { userId: person.userId };
    const set = (disabled: boolean) =>
      fixture.ask('updateUser', { as: admin, anyVersion: true, params, body: { disabled } });
    expect((await set(true)).reply.disabled).toBe(true);
    expect((await fixture.ask('getOwnUser', { as: person })).status).toBe(401);
    expect((await set(false)).reply.disabled).toBe(false);
  });
});
