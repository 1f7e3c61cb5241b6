import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PriceCreate } from '@weir/shared/prices/prices';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

const FUTURE = '2100-01-01T00:00:00.000Z';

function params() {
  return { modelId: catalog.modelId };
}

let aheadMs = 0;

/**
 * The public list is cached for a second: each call reads it on a clock that is more than a second
 * further.
 */
async function pricingNow() {
  const now = performance.now.bind(performance);
  aheadMs += 1_001;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  try {
    return (await fixture.ask('getPricing')).reply;
  } finally {
    vi.restoreAllMocks();
  }
}

describe('the public price list', () => {
  it('is sent as far as it is asked for', async () => {
    const whole = await pricingNow();
    const { reply } = await fixture.ask('getPricing', { query: { limit: 1 } });
    expect(reply).toEqual({ ...whole, models: whole.models.slice(0, 1) });
    expect(reply.models).toHaveLength(1);
  });

  it('tells what each model can be asked in, as far as channels serve it', async () => {
    const { modelId, publicId } = catalog;
    const listed = async (id: string) =>
      (await pricingNow()).models.find((model) => model.publicId === id)?.protocols;
    expect(await listed(publicId)).toEqual([]);
    const embedding = await fixture.ask('createModel', {
      as: admin,
      body: {
        publicId: 'text-embedding-9',
        contextTokensMax: 8_000,
        outputTokensMax: 1,
        groupIds: [catalog.groupId],
      },
    });
    const params = { modelId: embedding.reply.id };
    const body = { inputUsd: '1', outputUsd: '0' };
    await fixture.ask('createPrice', { as: admin, params, body });
    const models = [modelId, params.modelId].map((id) => ({ modelId: id, upstreamName: 'x' }));
    const channel = await fixture.ask('createChannel', {
      as: admin,
      body: { name: 'for all', baseUrl: 'http://127.0.0.1:9/v1', allowPrivate: true, models },
    });
    const generating = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'];
    expect(await listed(publicId)).toEqual(generating);
    expect(await listed('text-embedding-9')).toEqual(['gemini', 'openai-embeddings']);
    await fixture.ask('updateChannel', {
      as: admin,
      anyVersion: true,
      params: { channelId: channel.reply.id },
      body: { protocols: ['openai-embeddings'] },
    });
    expect(await listed(publicId)).toEqual([]);
  });
});

describe('prices', () => {
  it('are a history: a new one leaves the former as it was', async () => {
    await fixture.ask('createPrice', {
      as: admin,
      params: params(),
      body: { inputUsd: '3', outputUsd: '12' },
    });
    const { data } = (await fixture.ask('listPrices', { as: admin, params: params() })).reply;
    expect(data.map(({ inputUsd, state }) => [inputUsd, state])).toEqual([
      ['3', 'in_force'],
      ['2', 'past'],
    ]);
  });

  it('of caches are the input price unless named', async () => {
    const one = await fixture.ask('createPrice', {
      as: admin,
      params: params(),
      body: { inputUsd: '4', outputUsd: '8', cachedInputUsd: '0.4', perCallUsd: '0.001' },
    });
    expect(one.reply).toMatchObject({
      cachedInputUsd: '0.4',
      cacheWriteUsd: '4',
      perCallUsd: '0.001',
    });
  });

  it('of tiers are factors, which stay where a price does not name them', async () => {
    const ordinary = { inputUsd: '2', outputUsd: '12', cachedInputUsd: '0.2' };
    const set = (tiers?: PriceCreate['tiers']) =>
      fixture.ask('createPrice', {
        as: admin,
        params: params(),
        body: { ...ordinary, ...(tiers === undefined ? {} : { tiers }) },
      });
    const tiers = [
      { tier: 'flex', factor: '0.5' },
      { tier: 'priority', factor: '1.75' },
    ];
    expect((await set(tiers.toReversed())).reply.tiers).toEqual(tiers);
    expect((await set()).reply.tiers).toEqual(tiers);
    const twice = await set([...tiers, { tier: 'flex', factor: '2' }]);
    expect(twice.status).toBe(400);
    const model = await fixture.ask('getModel', { as: admin, params: params() });
    expect(model.reply.price?.tiers).toEqual(tiers);
    expect((await set(null)).reply.tiers).toEqual([]);
  });

  it('by the second may have a minimum, which stays until a price takes it away', async () => {
    const free = { inputUsd: '0', outputUsd: '0', cachedInputUsd: '0', cacheWriteUsd: '0' };
    const set = (extra: PriceCreate['extra']) =>
      fixture.ask('createPrice', {
        as: admin,
        params: params(),
        body: { ...free, perCallUsd: null, longContext: null, tiers: null, extra },
      });
    const made = await set({ second: '0.0001', secondsMin: 10 });
    expect(made.reply.extra).toEqual({ second: '0.0001', secondsMin: 10 });
    const raised = await set({ second: '0.0002' });
    expect(raised.reply.extra).toEqual({ second: '0.0002', secondsMin: 10 });
    const without = await set({ secondsMin: null });
    expect(without.reply.extra).toEqual({ second: '0.0002' });
    expect((await set(null)).reply.extra).toEqual({});
  });

  it('of long prompts are in addition to the others, until a price has none', async () => {
    const longContext = { aboveTokens: 200_000, inputUsd: '4', outputUsd: '18' };
    const body = { inputUsd: '2', outputUsd: '12', cachedInputUsd: '0.2', longContext };
    const told = { ...longContext, cachedInputUsd: '4', cacheWriteUsd: '4', extra: {} };
    const made = await fixture.ask('createPrice', { as: admin, params: params(), body });
    expect(made.reply).toMatchObject({ inputUsd: '2', longContext: told });
    const [listed] = (await fixture.ask('listPrices', { as: admin, params: params() })).reply.data;
    expect(listed).toEqual(made.reply);
    const model = await fixture.ask('getModel', { as: admin, params: params() });
    expect(model.reply.price?.longContext).toEqual(told);
    const without = { inputUsd: '2', outputUsd: '12', longContext: null };
    await fixture.ask('createPrice', { as: admin, params: params(), body: without });
    // A price without any can be sent back as it was told.
    const again = await fixture.ask('createPrice', { as: admin, params: params(), body: without });
    expect(again.reply.longContext).toBe(null);
    await fixture.ask('createPrice', { as: admin, params: params(), body });
    await fixture.ask('createPrice', { as: admin, params: params(), body: without });
    const log = await fixture.ask('listAuditEntries', { as: admin });
    expect(log.reply.data[0]).toMatchObject({
      before: { longContext: told },
      after: { longContext: null },
    });
  });

  it('that are not sent stay as they are when the new one begins, and null takes them away', async () => {
    const own = { cachedInputUsd: '0.2', cacheWriteUsd: '2.5', perCallUsd: '0.01' };
    const longContext = {
      aboveTokens: 200_000,
      inputUsd: '4',
      cachedInputUsd: '0.4',
      cacheWriteUsd: '5',
      outputUsd: '18',
    };
    const set = async (prices: Partial<PriceCreate>) => {
      const body = { inputUsd: '2', outputUsd: '12', ...prices };
      return (await fixture.ask('createPrice', { as: admin, params: params(), body })).reply;
    };
    await set({ ...own, longContext });
    expect(await set({ inputUsd: '1' })).toMatchObject({ inputUsd: '1', ...own, longContext });
    const { aboveTokens, inputUsd, outputUsd } = longContext;
    const above = { aboveTokens: aboveTokens * 2, inputUsd, outputUsd };
    expect((await set({ longContext: above })).longContext).toEqual({
      ...longContext,
      ...above,
      extra: {},
    });
    const without = { cachedInputUsd: null, cacheWriteUsd: null, longContext: null };
    expect(await set({ ...without, perCallUsd: null, effectiveFrom: FUTURE })).toMatchObject({
      cachedInputUsd: '2',
      cacheWriteUsd: '2',
      perCallUsd: '0',
      longContext: null,
    });
    // After that one comes what has no price of its own any more, and the cache costs what input
    // does.
    const later = await set({ inputUsd: '3', effectiveFrom: '2101-01-01T00:00:00.000Z' });
    expect(later).toMatchObject({ cachedInputUsd: '3', perCallUsd: '0', longContext: null });
    expect(await set({})).toMatchObject(own);
    for (const { effectiveFrom } of [{ effectiveFrom: FUTURE }, later]) {
      await fixture.ask('deletePrice', { as: admin, params: { ...params(), effectiveFrom } });
    }
    const nulls = { ...longContext, cachedInputUsd: null, cacheWriteUsd: null };
    const removed = await set({ ...own, longContext: nulls });
    expect(removed.longContext).toMatchObject({ cachedInputUsd: '4', cacheWriteUsd: '4' });
    await set({ ...without, perCallUsd: null });
  });

  it('of meters are in addition to the others; each stays until it is replaced or removed', async () => {
    const set = async (prices: Partial<PriceCreate>) => {
      const body = { inputUsd: '4', outputUsd: '20', cacheWriteUsd: '5', ...prices };
      return (await fixture.ask('createPrice', { as: admin, params: params(), body })).reply;
    };
    const extra = { cacheWrite1h: '8', webSearch: '0.01', audioOutput: '64.5' };
    expect((await set({ extra })).extra).toEqual(extra);
    const model = await fixture.ask('getModel', { as: admin, params: params() });
    expect(model.reply.price?.extra).toEqual(extra);
    expect((await set({})).extra).toEqual(extra);
    const changed = await set({ extra: { webSearch: '0', audioOutput: null } });
    expect(changed.extra).toEqual({ cacheWrite1h: '8', webSearch: '0' });
    expect((await set({ extra: null })).extra).toEqual({});
    const { rows } = await fixture.pool.query(
      'select extra_prices from prices where model_id = $1 order by effective_from desc limit 1',
      [catalog.modelId],
    );
    expect(rows).toEqual([{ extra_prices: null }]);
  });

  it('of meters hold for long prompts too, where a call costs the same', async () => {
    const long = { aboveTokens: 200_000, inputUsd: '8', outputUsd: '30' };
    const set = async (prices: Partial<PriceCreate>) => {
      const body = { inputUsd: '4', outputUsd: '20', ...prices };
      return (await fixture.ask('createPrice', { as: admin, params: params(), body })).reply;
    };
    const extra = { cacheWrite1h: '8', webSearch: '0.01' };
    const longContext = { ...long, extra: { cacheWrite1h: '16' } };
    const made = await set({ extra, longContext });
    expect(made.longContext?.extra).toEqual({ cacheWrite1h: '16' });
    const { rows } = await fixture.pool.query<{ extra: object }>(
      `select long_context_extra_prices as extra from prices where model_id = $1
       order by effective_from desc limit 1`,
      [catalog.modelId],
    );
    expect(rows[0]?.extra).toEqual({ cacheWrite1h: 16e9, webSearch: 1e7 });
    expect((await set({ extra: { webSearch: null } })).longContext).toMatchObject(longContext);
    await set({ extra: null, longContext: null });
  });

  it('may begin in the future, are shown as such, and may be taken back', async () => {
    const body = { inputUsd: '1', outputUsd: '1', effectiveFrom: '2100-01-01T08:00:00+08:00' };
    const made = await fixture.ask('createPrice', { as: admin, params: params(), body });
    expect(made.reply).toMatchObject({ effectiveFrom: FUTURE, state: 'future' });
    const model = await fixture.ask('getModel', { as: admin, params: params() });
    expect(model.reply.nextPriceFrom).toBe(FUTURE);
    expect(model.reply.price?.inputUsd).not.toBe('1');
    // The price list announces it, with each group's multiplier.
    const announced = (await pricingNow()).models.find(
      ({ publicId }) => publicId === catalog.publicId,
    );
    expect(announced?.next).toMatchObject({ effectiveFrom: FUTURE, prices: { inputUsd: '1' } });
    expect(announced?.groups.map(({ nextPrices }) => nextPrices?.inputUsd)).toEqual(['1']);
    const gone = await fixture.ask('deletePrice', {
      as: admin,
      params: { ...params(), effectiveFrom: FUTURE },
    });
    expect(gone.status).toBe(204);
  });

  it('tell the gateways by the change feed', async () => {
    const { rows } = await fixture.pool.query(
      `select 1 from changes where kind = 'catalog' and ref = $1`,
      [catalog.modelId],
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('the public price list', () => {
  it('needs no login and tells each group’s price with its multiplier', async () => {
    const cheap = await fixture.ask('createGroup', {
      as: admin,
      body: { name: 'cheap', multiplier: '0.333333', modelIds: [catalog.modelId] },
    });
    await fixture.ask('createPrice', {
      as: admin,
      params: params(),
      body: { inputUsd: '3', outputUsd: '0.000000001' },
    });
    const pricing = await pricingNow();
    const model = pricing.models.find(({ publicId }) => publicId === catalog.publicId);
    expect(model?.prices).toMatchObject({ inputUsd: '3' });
    const inCheap = model?.groups.find(({ groupId }) => groupId === cheap.reply.id);
    // 3 x 0.333333, and the smallest amount rounded up as a bill is.
    expect(inCheap?.prices).toMatchObject({ inputUsd: '0.999999', outputUsd: '0.000000001' });
    expect(pricing.groups.map(({ name }) => name)).toContain('cheap');
  });

  it('tells what long prompts cost, in each group', async () => {
    const longContext = { aboveTokens: 200_000, inputUsd: '6', outputUsd: '12' };
    const body = { inputUsd: '3', outputUsd: '12', perCallUsd: '1', longContext };
    await fixture.ask('createPrice', { as: admin, params: params(), body });
    const pricing = await pricingNow();
    const model = pricing.models.find(({ publicId }) => publicId === catalog.publicId);
    expect(model?.prices.longContext).toMatchObject({ aboveTokens: 200_000, inputUsd: '6' });
    const cheap = pricing.groups.find(({ name }) => name === 'cheap');
    const inCheap = model?.groups.find(({ groupId }) => groupId === cheap?.id);
    expect(inCheap?.prices.longContext).toEqual({
      aboveTokens: 200_000,
      inputUsd: '1.999998',
      cachedInputUsd: '1.999998',
      cacheWriteUsd: '1.999998',
      outputUsd: '3.999996',
      extra: {},
    });
  });

  it('tells what meters cost, in each group', async () => {
    const extra = { webSearch: '0.01', audioInput: '9' };
    const body = { inputUsd: '3', outputUsd: '12', longContext: null, extra };
    await fixture.ask('createPrice', { as: admin, params: params(), body });
    const pricing = await pricingNow();
    const model = pricing.models.find(({ publicId }) => publicId === catalog.publicId);
    expect(model?.prices.extra).toEqual(extra);
    const cheap = pricing.groups.find(({ name }) => name === 'cheap');
    const inCheap = model?.groups.find(({ groupId }) => groupId === cheap?.id);
    expect(inCheap?.prices.extra).toEqual({ webSearch: '0.00333333', audioInput: '2.999997' });
  });

  it('leaves out what cannot be bought: no price, disabled, in no active group', async () => {
    const make = async (publicId: string, groupIds: string[]) =>
      (
        await fixture.ask('createModel', {
          as: admin,
          body: { publicId, contextTokensMax: 10, outputTokensMax: 10, groupIds },
        })
      ).reply.id;
    const price = (modelId: string) =>
      fixture.ask('createPrice', {
        as: admin,
        params: { modelId },
        body: { inputUsd: '1', outputUsd: '1' },
      });
    await make('without-price', [catalog.groupId]);
    await price(await make('without-group', []));
    const disabled = await make('disabled-model', [catalog.groupId]);
    await price(disabled);
    await fixture.ask('updateModel', {
      as: admin,
      anyVersion: true,
      params: { modelId: disabled },
      body: { status: 'disabled' },
    });
    const shown = (await pricingNow()).models.map(({ publicId }) => publicId);
    expect(shown).toContain(catalog.publicId);
    for (const name of ['without-price', 'without-group', 'disabled-model']) {
      expect(shown).not.toContain(name);
    }
  });
});
