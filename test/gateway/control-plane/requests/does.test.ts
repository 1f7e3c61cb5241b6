import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestAdminListQuery } from '@weir/shared/watch/requests';
import { dropOldRequests } from '../../../../gateway/control-plane/requests/retention.ts';
import { tokens } from '../../request-history/support/summary.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let other: Person;
let catalog: Catalog;
let keyId: string;
let channelIds: string[];
/** Newest last. */
let ids: string[];

/** An id shows this time 48 ms later: its last four digits would spell a status code. */
const SPELLS_CODES_MS = 0x5020;
const nowMs = Date.now();
const atMs = Math.floor(nowMs / 0x1_0000 - 1) * 0x1_0000 + SPELLS_CODES_MS;
const at = (index: number): number => atMs + index;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  other = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  keyId = (await makeKey(fixture, owner, catalog.groupId)).id;
  await fixture.pool.query('select ensure_request_partitions(1)');
  const { rows } = await fixture.pool.query<{ id: string }>(
    `insert into channels (id, name, kind, base_url, status)
     values (gen_random_uuid(), 'first upstream', 'openai', 'https://one.example/v1', 'active'),
       (gen_random_uuid(), 'second upstream', 'openai', 'https://two.example/v1', 'active') returning id`,
  );
  channelIds = rows.map(({ id }) => id);
  const [first = '', second = ''] = channelIds;
  const { groupId, publicId: model } = catalog;
  const principal = senderOf({ accountId: owner.accountId, keyId, groupId });
  const others = senderOf({ accountId: other.accountId, keyId: first, groupId });
  const failed = { tokens: null, status: 'failed', stream: false } as const;
  const oom = {
    number: 1,
    channelId: first,
    place: 'river-project/us-east5',
    upstreamStatus: 502,
    failure: null,
    message: 'CUDA out of memory',
    startedMs: 5,
    durationMs: 40,
  };
  ids = await enterRequests(fixture.pool, [
    { startedAtMs: at(0), principal, model, channelId: second },
    {
      ...{ startedAtMs: at(1), principal, model, channelId: first, failedAttempts: [oom] },
      place: 'river-project/global',
      ...{ ...failed, httpStatus: 502, refused: 'upstream_error' },
      refusalMessage: 'The upstream failed.',
    },
    { startedAtMs: at(2), principal, model, channelId: second, attempts: 2, failedAttempts: [oom] },
    {
      ...{ startedAtMs: at(3), principal, model, channelId: null, attempts: 0 },
      ...{ ...failed, httpStatus: 429, refused: 'rate_limit_exceeded' },
    },
    { startedAtMs: at(4), principal: others, model: 'other/model', channelId: second },
    {
      ...{ startedAtMs: at(5), principal: null, model: null, channelId: null, attempts: 0 },
      ...{ ...failed, httpStatus: 401, refused: 'invalid_api_key' },
      unauthenticated: { address: '203.0.113.9', keyPrefix: 'sk-guess' },
    },
  ]);
});
afterAll(() => fixture.close());

async function found(query: RequestAdminListQuery): Promise<number[]> {
  const { reply } = await fixture.ask('listRequests', { as: admin, query });
  return reply.data.map(({ requestId }) => ids.indexOf(requestId));
}

describe('an operator', () => {
  it('sees every request, newest first, also those that were refused', async () => {
    expect(await found({})).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it('finds requests by account, key, model, channel, code, outcome and time', async () => {
    expect(await found({ accountId: owner.accountId })).toEqual([3, 2, 1, 0]);
    expect(await found({ keyId })).toEqual([3, 2, 1, 0]);
    expect(await found({ model: 'other/model' })).toEqual([4]);
    expect(await found({ code: 'rate_limit_exceeded' })).toEqual([3]);
    expect(await found({ outcome: 'failed' })).toEqual([5, 3, 1]);
    expect(await found({ outcome: 'served', accountId: owner.accountId })).toEqual([2, 0]);
    const from = new Date(at(2)).toISOString();
    const to = new Date(at(4)).toISOString();
    expect(await found({ from, to })).toEqual([3, 2]);
  });

  it('finds under a channel what failed there, also when another one served it', async () => {
    const [first = '', second = ''] = channelIds;
    expect(await found({ channelId: first })).toEqual([2, 1]);
    expect(await found({ channelId: second, accountId: owner.accountId })).toEqual([2, 0]);
    expect(await found({ channelId: first, code: 'upstream_error' })).toEqual([1]);
  });

  it.each([{}, { channel: true }])(
    'reads pages without gaps or repeats: %o',
    async ({ channel }) => {
      const seen: string[] = [];
      const [first = ''] = channelIds;
      const filter = channel === true ? { channelId: first } : {};
      let cursor: string | undefined;
      do {
        const query = { ...filter, limit: 1, ...(cursor === undefined ? {} : { cursor }) };
        const { reply } = await fixture.ask('listRequests', { as: admin, query });
        seen.push(...reply.data.map(({ requestId }) => requestId));
        cursor = reply.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(channel === true ? [ids[2], ids[1]] : ids.toReversed());
    },
  );

  it('learns from a request id what the upstream said', async () => {
    const params = { requestId: ids[1] ?? '' };
    const { reply } = await fixture.ask('getRequest', { as: admin, params });
    expect(reply).toMatchObject({
      accountId: owner.accountId,
      keyId,
      protocol: 'openai-chat',
      httpStatus: 502,
      code: 'upstream_error',
      durationMs: 500,
      place: 'river-project/global',
      failedAttempts: [
        {
          channelName: 'first upstream',
          place: 'river-project/us-east5',
          upstreamStatus: 502,
          message: 'CUDA out of memory',
          startedMs: 5,
          durationMs: 40,
        },
      ],
      phases: { holdFromMs: 1, heldMs: 3, attemptFromMs: 4, settleFromMs: 400 },
    });
  });

  it('sees where requests with unknown keys come from', async () => {
    const params = { requestId: ids[5] ?? '' };
    const { reply } = await fixture.ask('getRequest', { as: admin, params });
    expect(reply).toMatchObject({
      accountId: null,
      keyPrefix: 'sk-guess',
      clientAddress: '203.0.113.9',
    });
  });
});

describe('a customer', () => {
  it('sees their own requests, and nothing of the operator’s', async () => {
    const { reply, text } = await fixture.ask('listOwnRequests', { as: owner });
    expect(reply.data.map(({ requestId }) => ids.indexOf(requestId))).toEqual([3, 2, 1, 0]);
    const one = await fixture.ask('getOwnRequest', {
      as: owner,
      params: { requestId: ids[1] ?? '' },
    });
    expect(one.reply).toMatchObject({
      code: 'upstream_error',
      message: 'The upstream failed.',
      phases: { holdFromMs: 1, heldMs: 3, attemptFromMs: 4, settleFromMs: 400 },
    });
    for (const told of [text, one.text]) {
      expect(told).not.toMatch(
        /CUDA|first upstream|channel|failedAttempts|clientAddress|river-project/,
      );
      for (const id of channelIds) expect(told).not.toContain(id);
    }
  });

  it('finds them by key, model, code and outcome', async () => {
    const mine = async (query: object): Promise<number> =>
      (await fixture.ask('listOwnRequests', { as: owner, query })).reply.data.length;
    expect(await mine({ keyId })).toBe(4);
    expect(await mine({ model: 'other/model' })).toBe(0);
    expect(await mine({ code: 'upstream_error' })).toBe(1);
    expect(await mine({ outcome: 'failed' })).toBe(2);
  });
});

it('keeps as many days as are set, and drops older ones as a whole', async () => {
  const { pool } = fixture;
  const version = await fixture.ask('getSettings', { as: admin });
  const headers = { 'if-match': String(version.headers['etag']) };
  await fixture.ask('updateSettings', { as: admin, headers, body: { requestLogDays: 2 } });
  const [old = ''] = await enterRequests(pool, [
    { startedAtMs: nowMs - 9 * DAY_MS, tokens: tokens(1, 1) },
  ]);
  const context = { pool, logger: fixture.app.log };
  await dropOldRequests(context);
  const gone = await fixture.ask('getRequest', { as: admin, params: { requestId: old } });
  expect(gone.problem.code).toBe('not_found');
  const kept = await fixture.ask('getRequest', { as: admin, params: { requestId: ids[0] ?? '' } });
  expect(kept.status).toBe(200);
  // Two days from now, today is over.
  await dropOldRequests(context, nowMs + 2 * DAY_MS);
  expect(await found({})).toEqual([]);
});
