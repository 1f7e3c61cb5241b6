import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let owner: Person;
let stranger: Person;
let requestId: string;
let keyId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  owner = await fixture.user();
  stranger = await fixture.user();
  const { groupId, publicId } = await makeCatalog(fixture, await fixture.admin());
  keyId = (await makeKey(fixture, owner, groupId)).id;
  const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
  [requestId = ''] = await insertUsage(fixture.pool, [record]);
});
afterAll(() => fixture.close());

describe('someone else’s usage', () => {
  it('is not there: no record, no page, no sum, no file', async () => {
    const record = await fixture.ask('getOwnUsageRecord', { as: stranger, params: { requestId } });
    expect(record.problem.code).toBe('not_found');
    const page = await fixture.ask('listOwnUsageRecords', { as: stranger, query: { keyId } });
    expect(page.reply.data).toEqual([]);
    const days = await fixture.ask('listOwnUsageDays', { as: stranger, query: { keyId } });
    expect(days.reply.data).toEqual([]);
    const file = await fixture.ask('exportOwnUsage', { as: stranger, query: { keyId } });
    expect(file.text.trim().split('\r\n')).toHaveLength(1);
  });

  it('cannot be asked for by naming the account', async () => {
    for (const route of ['listOwnUsageRecords', 'exportOwnUsage', 'listOwnUsageDays'] as const) {
      const tried = await fixture.app.inject({
        url: `/api/v1/${route === 'exportOwnUsage' ? 'usage-exports' : route === 'listOwnUsageDays' ? 'usage-days' : 'usage-records'}?accountId=${owner.accountId}`,
        headers: { cookie: stranger.cookie },
      });
      expect(tried.statusCode).toBe(400);
    }
  });
});

describe('usage is refused', () => {
  it.each([
    [{ status: 'perfect' }],
    [{ keyId: 'nonsense' }],
    [{ from: 'yesterday' }],
    [{ limit: '50' + '0' }],
    [{ cursor: Buffer.from('["1; drop table keys","x"]').toString('base64url') }],
    [
      {
        cursor: Buffer.from(
          '["99999999999999999999","00000000-0000-7000-8000-000000000000"]',
        ).toString('base64url'),
      },
    ],
  ])('to the query %j', async (query) => {
    const page = await fixture.ask('listOwnUsageRecords', { as: owner, query });
    expect(page.status).toBe(400);
  });

  it.each([
    ['/usage-days?from=0000-01-01&to=0000-01-05', 'years 1 to 9999'],
    ['/usage-days?to=0000-01-05', 'years 1 to 9999'],
    ['/usage-days?model=%00', 'U+0000'],
    ['/usage-records?model=%00', 'U+0000'],
    ['/usage-records?from=0000-01-01T00:00:00Z', 'years 1 to 9999'],
    ['/usage-records?from=2026-01-01T00:00:00%2B23:59', 'years 1 to 9999'],
    ['/usage-exports?model=%00', 'U+0000'],
    ['/usage-exports?to=0000-01-01T00:00:00Z', 'years 1 to 9999'],
    ['/statements/0000-01', 'years 1 to 9999'],
    ['/usage-days?from=2026-03-02&to=2026-03-01', 'first day must not be after the last'],
    ['/usage-days?from=2999-01-01', 'first day must not be after the last'],
    ['/usage-days?from=2020-01-01&to=2026-01-01', 'at most 366 days'],
    ['/usage-records?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'before it begins'],
    ['/usage-exports?from=2026-03-02T00:00:00Z&to=2026-03-01T23:59:59Z', 'before it begins'],
  ])('to %s with words that tell what to send', async (path, words) => {
    const { statusCode, body } = await fixture.app.inject({
      url: `/api/v1${path}`,
      headers: { cookie: owner.cookie },
    });
    expect([statusCode, body]).toEqual([400, expect.stringContaining(words)]);
  });

  it.each([
    [{ from: '2026-02-30' }],
    [{ from: '2026-03-01', to: '2026-02-01' }],
    [{ from: '2020-01-01', to: '2026-01-01' }],
    [{ by: 'account' }],
  ])('to the days %j', async (query) => {
    const days = await fixture.ask('listOwnUsageDays', { as: owner, query });
    expect(days.status).toBe(400);
  });
});
