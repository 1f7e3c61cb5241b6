import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageRecordListQuery } from '@weir/shared/watch/usage';
import { compilePrices } from '../../../../gateway/pricing/compile-prices.ts';
import { cost } from '../../../../gateway/pricing/cost.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let catalog: Catalog;
let keyId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
  keyId = (await makeKey(fixture, owner, catalog.groupId)).id;
});
afterAll(() => fixture.close());

function base(person = owner, key = keyId) {
  const { groupId, publicId: model } = catalog;
  return { accountId: person.accountId, keyId: key, groupId, model };
}

async function allPages(query: UsageRecordListQuery, as = owner): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await fixture.ask('listOwnUsageRecords', {
      as,
      query: { limit: 7, ...query, ...(cursor === undefined ? {} : { cursor }) },
    });
    ids.push(...page.reply.data.map(({ requestId }) => requestId));
    cursor = page.reply.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

describe('a usage record', () => {
  it('explains its price exactly', async () => {
    const tokens = { input: 1001, cachedInput: 300, cacheWrite: 100, output: 333, reasoning: 33 };
    const prices = {
      inputNanoUsd: 2_000_000_001,
      cachedInputNanoUsd: 200_000_000,
      cacheWriteNanoUsd: 2_500_000_000,
      outputNanoUsd: 10_000_000_000,
      perCallNanoUsd: 1_000,
    };
    const multiplierPpm = 850_000;
    const costNanoUsd = cost(compilePrices(prices, multiplierPpm), tokens);
    const [requestId = ''] = await insertUsage(fixture.pool, [
      { ...base(), ...tokens, ...prices, multiplierPpm, costNanoUsd, estimated: true, attempts: 2 },
    ]);
    const { reply } = await fixture.ask('getOwnUsageRecord', { as: owner, params: { requestId } });
    expect(reply.priceLines).toEqual([
      {
        part: 'input',
        quantity: 601,
        priceUsd: '2.000000001',
        multiplier: '0.85',
        costUsd: '0.00102170000051085',
      },
      {
        part: 'cached_input',
        quantity: 300,
        priceUsd: '0.2',
        multiplier: '0.85',
        costUsd: '0.000051',
      },
      {
        part: 'cache_write',
        quantity: 100,
        priceUsd: '2.5',
        multiplier: '0.85',
        costUsd: '0.0002125',
      },
      { part: 'output', quantity: 333, priceUsd: '10', multiplier: '0.85', costUsd: '0.0028305' },
      {
        part: 'per_call',
        quantity: 1,
        priceUsd: '0.000001',
        multiplier: '0.85',
        costUsd: '0.00000085',
      },
    ]);
    expect(reply).toMatchObject({
      costUsd: '0.004116551',
      estimated: true,
      attempts: 2,
      keyName: 'a key',
      tokens: { reasoning: 33 },
    });
    const sum = reply.priceLines.reduce((total, { costUsd }) => total + Number(costUsd), 0);
    expect(Math.abs(sum - Number(reply.costUsd))).toBeLessThan(1e-9);
  });

  it('says what the client and the upstream spoke, and nothing of it for former versions', async () => {
    const spoken = {
      protocol: 'anthropic-messages',
      upstreamProtocol: 'openai-chat',
      tier: 'flex',
    } as const;
    // What gateways of former versions settle, and what waits in Redis, has neither.
    const [requestId = '', former = ''] = await insertUsage(fixture.pool, [
      { ...base(), ...spoken },
      base(),
    ]);
    const own = await fixture.ask('getOwnUsageRecord', { as: owner, params: { requestId } });
    expect(own.reply).toMatchObject(spoken);
    const { reply } = await fixture.ask('listUsageRecords', { as: admin, query: {} });
    const seen = new Map(reply.data.map((record) => [record.requestId, record]));
    expect(seen.get(requestId)).toMatchObject(spoken);
    expect(seen.get(former)).toMatchObject({ protocol: null, upstreamProtocol: null, tier: null });
  });

  it('explains what meters counted, as parts of input and output and alongside them', async () => {
    const extra = { cacheWrite1h: 40, audioOutput: 10, webSearch: 2 };
    const tokens = { input: 1000, cachedInput: 200, cacheWrite: 30, output: 50, reasoning: 0 };
    const ordinary = {
      inputNanoUsd: 4e9,
      cachedInputNanoUsd: 2e8,
      cacheWriteNanoUsd: 5e9,
      outputNanoUsd: 2e10,
      perCallNanoUsd: 0,
    };
    const extraPrices = { cacheWrite1h: 8e9, audioOutput: 6.4e10, webSearch: 1e7 };
    const prices = compilePrices({ ...ordinary, extra: extraPrices }, 500_000);
    const costNanoUsd = cost(prices, { ...tokens, extra });
    const [requestId = ''] = await insertUsage(fixture.pool, [
      {
        ...base(),
        ...tokens,
        extraMeters: extra,
        ...ordinary,
        extraPrices,
        multiplierPpm: 500_000,
        costNanoUsd,
      },
    ]);
    const { reply } = await fixture.ask('getOwnUsageRecord', { as: owner, params: { requestId } });
    expect(
      reply.priceLines.map(({ part, quantity, priceUsd, costUsd }) => [
        part,
        quantity,
        priceUsd,
        costUsd,
      ]),
    ).toEqual([
      ['input', 730, '4', '0.00146'],
      ['cached_input', 200, '0.2', '0.00002'],
      ['cache_write', 30, '5', '0.000075'],
      ['output', 40, '20', '0.0004'],
      ['cache_write_1h', 40, '8', '0.00016'],
      ['audio_output', 10, '64', '0.00032'],
      ['web_search', 2, '0.01', '0.01'],
    ]);
    expect(reply).toMatchObject({
      costUsd: '0.012435',
      tokens: { input: 1000, output: 50, extra },
      prices: { extra: { cacheWrite1h: '8', audioOutput: '64', webSearch: '0.01' } },
    });
    // What had none before has none now.
    await insertUsage(fixture.pool, [base()]);
    const plain = await fixture.ask('listOwnUsageRecords', { as: owner, query: { limit: 1 } });
    expect(plain.reply.data[0]).toMatchObject({ tokens: { extra: {} }, prices: { extra: {} } });
  });

  it('of a request that billed nothing explains nothing', async () => {
    const [requestId = ''] = await insertUsage(fixture.pool, [
      { ...base(), status: 'failed', httpStatus: 502, costNanoUsd: 0, firstByteMs: null },
    ]);
    const { reply } = await fixture.ask('getOwnUsageRecord', { as: owner, params: { requestId } });
    expect(reply).toMatchObject({ priceLines: [], costUsd: '0', status: 'failed' });
  });

  it('tells administrators also where it was sent and whose it is', async () => {
    await insertUsage(fixture.pool, [base()]);
    const page = await fixture.ask('listUsageRecords', { as: admin, query: { limit: 1 } });
    expect(page.reply.data[0]).toMatchObject({ accountName: owner.email, channelId: null });
    const own = await fixture.ask('listOwnUsageRecords', { as: owner, query: { limit: 1 } });
    expect(own.reply.data[0]).not.toHaveProperty('channelId');
  });
});

describe('the list of records', () => {
  it('goes newest first through all of them once, also those of one moment and of other months', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const moment = Date.now();
    const times = [
      ...Array.from({ length: 12 }, () => moment),
      ...Array.from({ length: 6 }, (_value, index) => moment - index * 20 * 86_400_000),
    ];
    const made = await insertUsage(
      fixture.pool,
      times.map((createdAtMs) => ({ ...base(person, key), createdAtMs })),
    );
    const seen = await allPages({}, person);
    expect(seen).toHaveLength(made.length);
    expect(new Set(seen)).toEqual(new Set(made));
  });

  it('neither repeats nor hides records when new ones arrive between two pages', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const made = await insertUsage(
      fixture.pool,
      Array.from({ length: 10 }, () => base(person, key)),
    );
    const first = await fixture.ask('listOwnUsageRecords', { as: person, query: { limit: 5 } });
    await insertUsage(fixture.pool, [base(person, key), base(person, key)]);
    const query = { limit: 50, cursor: first.reply.nextCursor ?? '' };
    const second = await fixture.ask('listOwnUsageRecords', { as: person, query });
    const seen = [...first.reply.data, ...second.reply.data].map(({ requestId }) => requestId);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  it('finds and shows records that were stored under the former name of their status', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const [old] = await insertUsage(fixture.pool, [{ ...base(person, key), status: 'completed' }]);
    await fixture.pool.query(
      `update usage_records set status = 'ledger_away' where request_id = $1`,
      [old],
    );
    const query = { status: 'ledger_unavailable' } as const;
    const { reply } = await fixture.ask('listOwnUsageRecords', { as: person, query });
    expect(reply.data).toMatchObject([{ requestId: old, status: 'ledger_unavailable' }]);
  });

  it('is filtered by key, model, group, status and time, and by all of them', async () => {
    const person = await fixture.user();
    const one = (await makeKey(fixture, person, catalog.groupId)).id;
    const two = (await makeKey(fixture, person, catalog.groupId)).id;
    const at = Date.UTC(2026, 5, 15);
    const [a, b, c, d] = await insertUsage(fixture.pool, [
      { ...base(person, one), createdAtMs: at },
      { ...base(person, two), createdAtMs: at + 1 },
      { ...base(person, one), createdAtMs: at + 2, model: 'another-model' },
      { ...base(person, one), createdAtMs: at + 3, status: 'client_disconnected' },
    ]);
    const iso = (offset: number) => new Date(at + offset).toISOString();
    expect(await allPages({ keyId: two }, person)).toEqual([b]);
    expect(await allPages({ model: 'another-model' }, person)).toEqual([c]);
    expect(await allPages({ status: 'client_disconnected' }, person)).toEqual([d]);
    expect(await allPages({ status: 'completed' }, person)).toEqual([c, b, a]);
    expect(await allPages({ groupId: catalog.groupId }, person)).toEqual([d, c, b, a]);
    expect(await allPages({ from: iso(1), to: iso(3) }, person)).toEqual([c, b]);
    const all = {
      keyId: one,
      model: catalog.publicId,
      status: 'completed',
      from: iso(0),
      to: iso(9),
    } as const;
    expect(await allPages(all, person)).toEqual([a]);
  });
});

describe('usage per day', () => {
  it('is summed from the daily book, split as asked, the rest beyond twenty in one', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    const today = Date.now();
    await insertUsage(fixture.pool, [
      ...Array.from({ length: 25 }, (_value, index) => ({
        ...base(person, key),
        model: `model-${String(index).padStart(2, '0')}`,
        costNanoUsd: (100 - index) * 1_000_000,
      })),
      { ...base(person, key), createdAtMs: today - 86_400_000 },
    ]);
    const ask = async (by: 'none' | 'model' | 'key') =>
      (await fixture.ask('listOwnUsageDays', { as: person, query: { by } })).reply.data;
    const plain = await ask('none');
    expect(plain.map(({ requests, of }) => [requests, of])).toEqual([
      [1, null],
      [25, null],
    ]);
    expect(plain[1]).toMatchObject({ costUsd: '2.2', inputTokens: 25_000, outputTokens: 12_500 });
    const byModel = await ask('model');
    const last = byModel.filter(({ day }) => day === plain[1]?.day);
    expect(last).toHaveLength(21);
    expect(last.find(({ of }) => of === null)?.requests).toBe(5);
    expect(last[0]).toMatchObject({ of: 'model-00', label: 'model-00', costUsd: '0.1' });
    expect((await ask('key')).map(({ of, label }) => [of, label])).toEqual([
      [key, 'a key'],
      [key, 'a key'],
    ]);
    const everyone = await fixture.ask('listUsageDays', {
      as: admin,
      query: { by: 'account', accountId: person.accountId },
    });
    expect(everyone.reply.data.at(-1)).toMatchObject({ of: person.accountId, label: person.email });
    const summary = await fixture.ask('getOwnUsageSummary', { as: person });
    expect(summary.reply.today).toMatchObject({ requests: 25, costUsd: '2.2' });
  });
});

describe('the export', () => {
  it('holds every record of the filter as CSV, over several batches', async () => {
    const person = await fixture.user();
    const key = (await makeKey(fixture, person, catalog.groupId)).id;
    await fixture.ask('updateKey', {
      as: person,
      anyVersion: true,
      params: { keyId: key },
      body: { name: '=cmd|"evil", \n' },
    });
    const made = await insertUsage(
      fixture.pool,
      Array.from({ length: 2_300 }, (_value, index) => ({
        ...base(person, key),
        createdAtMs: Date.now() - (index % 40) * 1000,
      })),
    );
    const file = await fixture.ask('exportOwnUsage', { as: person });
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    const text = file.text.replaceAll('"\'=cmd|""evil"", \n"', 'a key');
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toMatch(
      /^request_id,created_at,account_id,key_id,key_name,group,model,status/,
    );
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(made));
    expect(lines).toHaveLength(2_301);
    expect(lines[1]).toContain(',2,2,2,10,0,1,0.007,0.007,0,0,false,false,1,900,200');
  });

  it('of everyone can be of one channel, as the list can', async () => {
    const channelId = '01900000-0000-7000-8000-00000000c4a1';
    const [made] = await insertUsage(fixture.pool, [{ ...base(), channelId }, base()]);
    const file = await fixture.ask('exportUsage', { as: admin, query: { channelId } });
    const lines = file.text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual([made]);
  });

  it('of everyone is for administrators', async () => {
    const query = { accountId: owner.accountId };
    const file = await fixture.ask('exportUsage', { as: admin, query });
    const accounts = file.text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2]);
    expect(new Set(accounts)).toEqual(new Set([owner.accountId]));
  });
});
