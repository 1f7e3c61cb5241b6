import { SAVED_VIEWS_MAX } from '@weir/shared/watch/saved-views';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let person: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  person = await fixture.user();
});
afterAll(() => fixture.close());

const VIEW = { list: 'models', name: 'Off', query: 'status=disabled' } as const;

function make(as: Person, body: object = {}) {
  return fixture.ask('createSavedView', { as, body: { ...VIEW, ...body } });
}

it('the view of another person', async () => {
  const params = { savedViewId: (await make(person)).reply.id };
  const other = await fixture.user();
  const renamed = await fixture.ask('updateSavedView', {
    ...{ as: other, params, body: { name: 'mine' } },
  });
  expect(renamed.problem.code).toBe('not_found');
  const gone = await fixture.ask('deleteSavedView', { as: other, params });
  expect(gone.problem.code).toBe('not_found');
  const { reply } = await fixture.ask('listSavedViews', { as: person, query: { list: 'models' } });
  expect(reply.data).toMatchObject([VIEW]);
});

it('a name that the list has, when it is made and when it is renamed', async () => {
  expect((await make(person)).problem).toMatchObject({ code: 'already_exists' });
  const params = { savedViewId: (await make(person, { name: 'On' })).reply.id };
  const body = { name: VIEW.name };
  const renamed = await fixture.ask('updateSavedView', { as: person, params, body });
  expect(renamed.problem.code).toBe('already_exists');
});

it('a key in the filters, an unknown list, and a query that is too long', async () => {
  const key = `sk-weir-${'a1B2'.repeat(12)}`;
  expect((await make(person, { name: 'k', query: `search=${key}` })).status).toBe(400);
  expect((await make(person, { name: 'l', list: 'secrets' })).status).toBe(400);
  expect((await make(person, { name: 'q', query: 'x'.repeat(1_001) })).status).toBe(400);
});

it('one more than a person may have, also when two are made at once', async () => {
  const crowd = await fixture.user();
  await fixture.pool.query(
    `insert into saved_views (id, user_id, list, name, query)
     select gen_random_uuid(), $1, 'keys', n::text, '' from generate_series(1, $2) n`,
    [crowd.userId, SAVED_VIEWS_MAX - 1],
  );
  const both = await Promise.all([make(crowd), make(crowd, { name: 'On' })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});
