import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

function base(person: Person, key: string) {
  const { groupId, publicId: model } = catalog;
  return { accountId: person.accountId, keyId: key, groupId, model };
}

describe('the export of everyone', () => {
  it('says whose each request was and where it was sent, which a customer’s own does not', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const channel = await fixture.ask('createChannel', {
      as: admin,
      body: { name: 'Works, "River"', baseUrl: 'http://127.0.0.1:9/v1', allowPrivate: true },
    });
    await insertUsage(fixture.pool, [{ ...base(person, key), channelId: channel.reply.id }]);
    const { accountId } = person;
    const file = await fixture.ask('exportUsage', { as: admin, query: { accountId } });
    const [head = '', line = ''] = file.text.split('\r\n');
    expect(head).toMatch(
      /^\ufeffrequest_id,created_at,account_id,account,key_id,key_name,group,channel_id,channel,model,/,
    );
    expect(line).toContain(`,${accountId},${person.email},${key},`);
    expect(line).toContain(`,${channel.reply.id},"Works, ""River""",`);
    const own = await fixture.ask('exportOwnUsage', { as: person });
    expect(own.text).not.toContain('channel');
    expect(own.text).not.toContain(channel.reply.id);
  });
});

describe('a chart that is filtered as the list of records', () => {
  it('sums up the records of an outcome, a channel or a group, and the hours of a day', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const channelId = randomUUID();
    const midnightMs = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`) - DAY_MS;
    const at = (hours: number) => midnightMs + hours * 3_600_000;
    await insertUsage(fixture.pool, [
      { ...base(person, key), createdAtMs: at(1), costNanoUsd: 1_000_000_000 },
      { ...base(person, key), createdAtMs: at(1.9), model: 'other', costNanoUsd: 2_000_000_000 },
      { ...base(person, key), createdAtMs: at(23.9), status: 'failed', costNanoUsd: 0 },
      { ...base(person, key), createdAtMs: at(24), channelId, costNanoUsd: 4_000_000_000 },
    ]);
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const range = { from: day(midnightMs), to: day(midnightMs) };
    const own = async (query: object) =>
      (await fixture.ask('listOwnUsageDays', { as: person, query })).reply.data;
    const hours = await own({ ...range, per: 'hour' });
    expect(hours.map(({ hour, requests, costUsd }) => [hour, requests, costUsd])).toEqual([
      [1, 2, '3'],
      [23, 1, '0'],
    ]);
    const byModel = await own({ ...range, per: 'hour', by: 'model', status: 'completed' });
    expect(byModel.map(({ hour, of, costUsd }) => [hour, of, costUsd])).toEqual([
      [1, 'other', '2'],
      [1, catalog.publicId, '1'],
    ]);
    const failed = await own({ status: 'failed' });
    expect(failed.map(({ hour, requests }) => [hour, requests])).toEqual([[null, 1]]);
    expect(await own({ groupId: randomUUID() })).toEqual([]);
    const group = await own({ groupId: catalog.groupId, by: 'key' });
    expect(group.map(({ of, requests }) => [of, requests])).toEqual([
      [key, 3],
      [key, 1],
    ]);
    const everyone = await fixture.ask('listUsageDays', { as: admin, query: { channelId } });
    expect(everyone.reply.data.map(({ costUsd }) => costUsd)).toEqual(['4']);
    const tooMany = await fixture.ask('listOwnUsageDays', {
      as: person,
      query: { per: 'hour', from: '2026-01-01', to: '2026-01-08' },
    });
    expect([tooMany.status, tooMany.problem.detail]).toEqual([
      400,
      expect.stringContaining('at most 7 days'),
    ]);
  });

  it('names the largest parts and sums up the rest of each hour', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const createdAtMs = Date.parse('2026-03-01T05:30:00Z');
    await insertUsage(
      fixture.pool,
      Array.from({ length: 23 }, (_value, index) => ({
        ...base(person, key),
        createdAtMs,
        model: `model-${String(index).padStart(2, '0')}`,
        costNanoUsd: (100 - index) * 1_000_000,
      })),
    );
    const query = { from: '2026-03-01', to: '2026-03-01', per: 'hour', by: 'model' } as const;
    const { data } = (await fixture.ask('listOwnUsageDays', { as: person, query })).reply;
    expect(data).toHaveLength(21);
    expect(data.at(-1)).toMatchObject({ hour: 5, of: null, requests: 3, costUsd: '0.237' });
  });
});
