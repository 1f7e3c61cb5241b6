/** The one list of requests: in any order, by group, and on into bills older than the log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_SORTS, type RequestAdminListQuery } from '@weir/shared/watch/requests';
import { tokens } from '../../request-history/support/summary.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.now();

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let other: Person;
let catalog: Catalog;
let channelId: string;
/** The oldest first: three bills, of which one failed, then five requests of the log. */
let ids: string[];

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  other = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  const { groupId, publicId: model } = catalog;
  const keyId = (await makeKey(fixture, owner, groupId)).id;
  await fixture.pool.query('select ensure_request_partitions(1)');
  const body = { name: 'upstream', baseUrl: 'https://1.1.1.1/v1' };
  channelId = (await fixture.ask('createChannel', { as: admin, body })).reply.id;
  const principal = senderOf({ accountId: owner.accountId, keyId, groupId });
  const elsewhere = senderOf({ accountId: other.accountId, keyId: channelId, groupId: keyId });
  const attempt = {
    ...{ number: 1, channelId, place: null, upstreamStatus: 502, failure: null },
    ...{ message: 'busy', startedMs: 5, durationMs: 40 },
  };
  const billed = { accountId: owner.accountId, keyId, groupId, model, channelId };
  const bills = await insertUsage(fixture.pool, [
    { ...billed, createdAtMs: nowMs - 60 * DAY_MS },
    { ...billed, createdAtMs: nowMs - 50 * DAY_MS, status: 'client_disconnected' },
    { ...billed, createdAtMs: nowMs - 40 * DAY_MS },
    // In the log as well, and once in the list.
    { ...billed, createdAtMs: nowMs - 1_000 },
  ]);
  const request = (index: number, more: object) => ({
    ...{ startedAtMs: nowMs - 60_000 + index, principal, model, channelId },
    ...{ durationMs: 10 * ((index * 7) % 5), costNanoUsd: 1_000 * ((index * 3) % 5) },
    ...more,
  });
  const logged = await enterRequests(fixture.pool, [
    request(0, {}),
    request(1, { tokens: tokens(5, 5) }),
    request(2, { channelId: null, failedAttempts: [attempt], attempts: 1 }),
    request(3, { status: 'failed', tokens: null, httpStatus: 502, refused: 'upstream_error' }),
    request(4, { principal: elsewhere, model: 'other/model' }),
  ]);
  ids = [...bills.slice(0, 3), ...logged];
});
afterAll(() => fixture.close());

/** The places in `ids` of all that is found, read in pages of so many. */
async function found(query: RequestAdminListQuery, limit = 200): Promise<number[]> {
  const places: number[] = [];
  let cursor: string | null = null;
  do {
    const page: RequestAdminListQuery = { ...query, limit, ...(cursor && { cursor }) };
    const { reply } = await fixture.ask('listRequests', { as: admin, query: page });
    places.push(...reply.data.map(({ requestId }) => ids.indexOf(requestId)));
    cursor = reply.nextCursor;
  } while (cursor !== null);
  return places;
}

describe('requests', () => {
  it.each(REQUEST_SORTS)('by %s come whole, once each, in pages of any length', async (sort) => {
    const whole = await found({ sort });
    expect(whole.toSorted()).toEqual(
      sort.endsWith('created') ? [0, 1, 2, 3, 4, 5, 6, 7] : [3, 4, 5, 6, 7],
    );
    for (const limit of [1, 3]) expect(await found({ sort }, limit)).toEqual(whole);
    const opposite = REQUEST_SORTS.find(
      (one) => one === (sort.startsWith('-') ? sort.slice(1) : `-${sort}`),
    );
    expect(await found({ sort: opposite ?? sort })).toEqual(whole.toReversed());
  });

  it.each(['-created', '-duration', 'cost'] as const)(
    'of a channel by %s have those that failed there first',
    async (sort) => {
      const [log, bills] = [[3, 4, 5, 6, 7], sort === '-created' ? [0, 1, 2] : []];
      expect((await found({ channelId, sort }, 2)).toSorted()).toEqual([...bills, ...log]);
    },
  );

  it('are found by their group, with a channel as well', async () => {
    const { groupId } = catalog;
    expect(await found({ groupId })).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(await found({ groupId, channelId }, 1)).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it('go on with older bills, by the same filters', async () => {
    expect(await found({}, 4)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await found({ outcome: 'failed' })).toEqual([6, 1]);
    expect(
      await found({ outcome: 'served', to: new Date(nowMs - 45 * DAY_MS).toISOString() }),
    ).toEqual([0]);
    expect(await found({ code: 'client_disconnected' })).toEqual([1]);
    expect(await found({ code: 'upstream_error' })).toEqual([6]);
    expect(await found({ model: 'other/model' })).toEqual([7]);
  });

  it('of a customer have the older bills of the own account alone', async () => {
    const mine = await fixture.ask('listOwnRequests', { as: owner });
    expect(mine.reply.data.map(({ requestId }) => ids.indexOf(requestId))).toEqual([
      6, 5, 4, 3, 2, 1, 0,
    ]);
    expect(mine.reply.data.at(-1)).toMatchObject({ costUsd: '0.007', inputTokens: 1000 });
    expect(mine.text).not.toContain('channel');
    const others = await fixture.ask('listOwnRequests', { as: other });
    expect(others.reply.data.map(({ requestId }) => ids.indexOf(requestId))).toEqual([7]);
  });

  it('in another order than the cursor’s are refused', async () => {
    const { reply } = await fixture.ask('listRequests', { as: admin, query: { limit: 1 } });
    const query = { sort: 'cost', cursor: reply.nextCursor ?? '' } as const;
    const refused = await fixture.ask('listRequests', { as: admin, query });
    expect(refused.status).toBe(400);
  });
});

it('charts and lists of usage know the outcome', async () => {
  const query = { outcome: 'failed' } as const;
  const from = new Date(nowMs - 80 * DAY_MS).toISOString();
  const records = await fixture.ask('listUsageRecords', { as: admin, query: { ...query, from } });
  expect(records.reply.data.map(({ requestId }) => ids.indexOf(requestId))).toEqual([1]);
  const days = await fixture.ask('listUsageDays', {
    as: admin,
    query: { ...query, from: from.slice(0, 10) },
  });
  expect(days.reply.data.map(({ requests }) => requests)).toEqual([1]);
});
