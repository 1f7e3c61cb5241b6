import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let person: Person;
let other: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  person = await fixture.user();
  other = await fixture.user();
});
afterAll(() => fixture.close());

const VIEW = { list: 'requests', name: 'Failures', query: 'outcome=failed&range=week' } as const;

async function names(as: Person, list: 'requests' | 'keys' = 'requests'): Promise<string[]> {
  const { reply } = await fixture.ask('listSavedViews', { as, query: { list } });
  return reply.data.map(({ name }) => name);
}

it('a view follows its person from one browser to the next, by list and name', async () => {
  const made = await fixture.ask('createSavedView', { as: person, body: VIEW });
  expect(made).toMatchObject({ status: 201, reply: VIEW });
  await fixture.ask('createSavedView', { as: person, body: { ...VIEW, name: 'all of today' } });
  await fixture.ask('createSavedView', { as: person, body: { ...VIEW, list: 'keys' } });
  expect(await names(person)).toEqual(['all of today', 'Failures']);
  expect(await names(person, 'keys')).toEqual(['Failures']);
  expect(await names(other)).toEqual([]);
});

it('a view is renamed, gets other filters and is deleted', async () => {
  const made = await fixture.ask('createSavedView', { as: other, body: VIEW });
  const params = { savedViewId: made.reply.id };
  const query = 'outcome=served';
  const renamed = await fixture.ask('updateSavedView', {
    ...{ as: other, params, body: { name: 'Served' } },
  });
  expect(renamed.reply).toMatchObject({ name: 'Served', query: VIEW.query });
  const changed = await fixture.ask('updateSavedView', { as: other, params, body: { query } });
  expect(changed.reply).toMatchObject({ name: 'Served', query });
  expect((await fixture.ask('deleteSavedView', { as: other, params })).status).toBe(204);
  expect(await names(other)).toEqual([]);
});
