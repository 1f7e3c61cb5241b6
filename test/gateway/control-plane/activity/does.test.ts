import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIVITY_HOURS } from '@weir/shared/watch/activity';
import type { RequestSummary } from '../../../../gateway/platform/telemetry/request-log.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';

const HOUR_MS = 3_600_000;
const FAILED_AT = '01a1fd85-7715-7fed-a767-b935f6226f00';

let fixture: AdminFixture;
let admin: Person;
let busy: Person;
let quiet: Person;
let idle: Person;
let catalog: Catalog;
let busyKey: string;
let quietKey: string;
let servedBy: string;
let enteredAtMs: number;

const LIMITED: Partial<RequestSummary> = {
  ...{ status: 'failed', httpStatus: 429, refused: 'rate_limit_exceeded', tokens: null },
  ...{ firstByteAtMs: null, costNanoUsd: 0, attempts: 0, channelId: null },
};

async function channel(name: string): Promise<string> {
  const body = { name, baseUrl: 'https://1.1.1.1/v1' };
  return (await fixture.ask('createChannel', { as: admin, body })).reply.id;
}

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  busy = await fixture.user();
  quiet = await fixture.user();
  idle = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  const { groupId, publicId: model } = catalog;
  busyKey = (await makeKey(fixture, busy, groupId)).id;
  quietKey = (await makeKey(fixture, quiet, groupId)).id;
  servedBy = await channel('serves');
  await channel('waits');
  const ofBusy = senderOf({ accountId: busy.accountId, keyId: busyKey, groupId });
  const ofQuiet = senderOf({ accountId: quiet.accountId, keyId: quietKey, groupId });
  const nowMs = Date.now();
  enteredAtMs = nowMs;
  const at = (hoursAgo: number) => {
    const startedAtMs = nowMs - hoursAgo * HOUR_MS;
    return { startedAtMs, firstByteAtMs: startedAtMs + 120 };
  };
  const failedFirst = {
    ...{ number: 1, channelId: FAILED_AT, upstreamStatus: 502, failure: null },
    ...{ message: 'out of memory', startedMs: 2, durationMs: 40 },
  };
  await enterRequests(fixture.pool, [
    ...Array.from({ length: 4 }, () => ({
      ...at(0),
      ...{ principal: ofBusy, model, channelId: servedBy },
    })),
    {
      ...at(2),
      ...{ principal: ofBusy, model, channelId: servedBy, attempts: 2 },
      failedAttempts: [failedFirst],
    },
    { ...at(0), ...LIMITED, principal: ofQuiet, model },
    { ...at(0), principal: ofQuiet, model, channelId: servedBy, costNanoUsd: 5_000_000_000 },
    // A day and more ago: not within the latest 24 hours.
    { ...at(30), principal: ofQuiet, model, channelId: servedBy },
  ]);
});
afterAll(() => fixture.close());

/** The number of the hour that the requests were in, also if another one has begun since. */
function hourAt(from: string): number {
  return Math.floor((enteredAtMs - Date.parse(from)) / HOUR_MS);
}

async function activities(kind: 'account' | 'channel' | 'key' | 'model', ...ids: string[]) {
  const query = { kind, ids: ids.join(',') };
  return (await fixture.ask('listActivities', { as: admin, query })).reply.data;
}

describe('the latest 24 hours of an object', () => {
  it('are summed by hour, with errors, spend and the time to the first token', async () => {
    const [account, none] = await activities('account', busy.accountId, idle.accountId);
    expect(account).toMatchObject({ id: busy.accountId, requests: 5, failed: 0 });
    const query = { kind: 'account', ids: busy.accountId } as const;
    const { from } = (await fixture.ask('listActivities', { as: admin, query })).reply;
    const last = hourAt(from);
    expect(account?.hours).toHaveLength(ACTIVITY_HOURS);
    expect(account?.hours[last]).toBe(4);
    expect(account?.hours[last - 2]).toBe(1);
    expect(account?.firstByteMsP95).toBeGreaterThan(100);
    expect(account?.firstByteMsP95).toBeLessThanOrEqual(150);
    expect(none).toMatchObject({
      ...{ id: idle.accountId, requests: 0, failed: 0, firstByteMsP95: null, costUsd: '0' },
      hours: new Array<number>(ACTIVITY_HOURS).fill(0),
    });
  });

  it('are known of keys and models as well', async () => {
    const [key] = await activities('key', quietKey);
    expect(key).toMatchObject({ requests: 2, failed: 1, costUsd: '5' });
    expect(Math.max(...(key?.failedHours ?? []))).toBe(1);
    const [model] = await activities('model', catalog.modelId);
    expect(model).toMatchObject({ id: catalog.modelId, requests: 7, failed: 1 });
  });

  it('show a channel that fails before another one serves', async () => {
    const [failing, serving] = await activities('channel', FAILED_AT, servedBy);
    expect(failing).toMatchObject({ requests: 1, failed: 1 });
    expect(serving).toMatchObject({ requests: 6, failed: 0 });
  });

  it('of a key are shown to its owner alone', async () => {
    const ids = `${busyKey},${quietKey}`;
    const { reply } = await fixture.ask('listOwnKeyActivities', { as: quiet, query: { ids } });
    expect(reply.data).toMatchObject([{ id: quietKey, requests: 2 }]);
  });
});

describe('lists sorted by a figure', () => {
  it('begin with the busiest, page by page', async () => {
    const query = { sort: '-requests', limit: 1 } as const;
    const first = (await fixture.ask('listAccounts', { as: admin, query })).reply;
    expect(first.data.map(({ id }) => id)).toEqual([busy.accountId]);
    const cursor = first.nextCursor ?? '';
    const rest = await fixture.ask('listAccounts', {
      as: admin,
      query: { ...query, cursor, limit: 200 },
    });
    expect(rest.reply.data[0]?.id).toBe(quiet.accountId);
    const all = [...first.data, ...rest.reply.data].map(({ id }) => id);
    // Those without requests are not missing, and nobody comes twice.
    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain(idle.accountId);
  });

  it('know errors, spend and times of keys', async () => {
    const first = async (sort: '-errors' | '-spend' | '-requests' | '-firstByte') =>
      (await fixture.ask('listKeysOfEveryone', { as: admin, query: { sort } })).reply.data[0]?.id;
    expect(await first('-errors')).toBe(quietKey);
    expect(await first('-spend')).toBe(quietKey);
    expect(await first('-requests')).toBe(busyKey);
    const own = await fixture.ask('listKeys', { as: busy, query: { sort: '-errors' } });
    expect(own.reply.data.map(({ id }) => id)).toEqual([busyKey]);
  });

  it('know channels and models, and a search narrows them', async () => {
    const list = async (query: object) =>
      (await fixture.ask('listChannels', { as: admin, query })).reply.data.map(({ name }) => name);
    expect(await list({ sort: '-requests' })).toEqual(['serves', 'waits']);
    expect(await list({ sort: 'requests' })).toEqual(['waits', 'serves']);
    expect(await list({ search: 'wai' })).toEqual(['waits']);
    expect(await list({ sort: '-name' })).toEqual(['waits', 'serves']);
    const models = await fixture.ask('listModels', { as: admin, query: { sort: '-spend' } });
    expect(models.reply.data[0]?.id).toBe(catalog.modelId);
  });
});

describe('the traffic of a key', () => {
  it('is shown to its owner and to operators', async () => {
    const query = { keyId: quietKey, by: 'code' } as const;
    const { reply } = await fixture.ask('getOwnTraffic', { as: quiet, query });
    expect(reply.total).toMatchObject({ requests: 2, failed: 1 });
    expect(reply.totals.map(({ of }) => of)).toContain('rate_limit_exceeded');
    const everyones = await fixture.ask('getTraffic', { as: admin, query });
    expect(everyones.reply.total).toEqual(reply.total);
    const own = await fixture.ask('getOwnTraffic', { as: busy });
    expect(own.reply.total).toMatchObject({ requests: 5 });
  });

  it('is not shown to others, nor split by what its sums do not know', async () => {
    const query = { keyId: quietKey };
    const others = await fixture.ask('getOwnTraffic', { as: busy, query });
    expect(others.status).toBe(404);
    const mixed = await fixture.ask('getTraffic', {
      as: admin,
      query: { keyId: quietKey, by: 'model' },
    });
    expect(mixed.status).toBe(400);
  });
});
