import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';

let fixture: AdminFixture;
let owner: Person;
let stranger: Person;
let requestId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  owner = await fixture.user();
  stranger = await fixture.user();
  const ids = { accountId: owner.accountId, keyId: owner.userId, groupId: owner.userId };
  [requestId = ''] = await enterRequests(fixture.pool, [{ principal: senderOf(ids) }]);
});
afterAll(() => fixture.close());

describe('someone else’s request', () => {
  it('is not there', async () => {
    const one = await fixture.ask('getOwnRequest', { as: stranger, params: { requestId } });
    expect(one.problem.code).toBe('not_found');
    const page = await fixture.ask('listOwnRequests', { as: stranger });
    expect(page.reply.data).toEqual([]);
    const own = await fixture.ask('getOwnRequest', { as: owner, params: { requestId } });
    expect(own.status).toBe(200);
  });

  it.each(['accountId', 'channelId'])('cannot be asked for by naming the %s', async (name) => {
    const { statusCode } = await fixture.app.inject({
      url: `/api/v1/requests?${name}=${owner.accountId}`,
      headers: { cookie: stranger.cookie },
    });
    expect(statusCode).toBe(400);
  });
});

it.each([
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '9c1f7c1e-7f0d-4c0e-9d5b-0f3a2c1b4d5e',
])('no entry is found under the id %s', async (unknown) => {
  const admin = await fixture.admin();
  const one = await fixture.ask('getRequest', { as: admin, params: { requestId: unknown } });
  expect(one.problem.code).toBe('not_found');
});

it.each([
  '/requests?keyId=nonsense',
  '/requests?outcome=perfect',
  '/requests?code=%00',
  "/requests?code='",
  '/requests?model=%00',
  '/requests?from=yesterday',
  '/requests?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
  '/requests?limit=500',
  '/requests?cursor=nonsense',
  '/requests/nonsense',
])('the query %s is refused', async (path) => {
  const { statusCode } = await fixture.app.inject({
    url: `/api/v1${path}`,
    headers: { cookie: owner.cookie },
  });
  expect([400, 404]).toContain(statusCode);
});
