import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSnapshot } from '../../../../gateway/catalog/load-snapshot.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
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

let channels = 0;

/** A channel that serves the catalog's model. */
async function makeChannel(): Promise<{ channelId: string }> {
  channels += 1;
  const name = `channel ${String(channels)}`;
  const models = [{ modelId: catalog.modelId, upstreamName: 'up' }];
  const body = { name, baseUrl: 'https://8.8.8.8/v1', models };
  return { channelId: (await fixture.ask('createChannel', { as: admin, body })).reply.id };
}

const set = (params: { channelId: string }, body: object) =>
  fixture.ask('updateUpstreamPrices', { as: admin, params, body });

async function priceOf(params: { channelId: string }) {
  const { reply } = await fixture.ask('getUpstreamPrices', { as: admin, params });
  const { source, prices } = reply.models[0] ?? {};
  return { source, input: prices?.inputUsd ?? null, output: prices?.outputUsd ?? null };
}

/** Returns the channel as the gateway has it. */
async function inForce({ channelId }: { channelId: string }) {
  const options = { version: 1, secrets: TEST_SECRETS, onUnreadable: () => undefined };
  const { snapshot } = await loadSnapshot(fixture.pool, options);
  const channel = snapshot.channels.find(({ id }) => id === channelId);
  return { factor: channel?.upstreamFactorPpm, own: channel?.models[0]?.upstreamPrices };
}

describe('the price of an upstream', () => {
  it('is unknown until somebody enters one', async () => {
    const params = await makeChannel();
    expect(await priceOf(params)).toEqual({ source: 'unknown', input: null, output: null });
    expect(await inForce(params)).toEqual({ factor: null, own: undefined });
  });

  it('is a factor of the list price, whatever that is at the time', async () => {
    const params = await makeChannel();
    const reply = (await set(params, { factor: '0.8' })).reply;
    expect(reply.factor).toBe('0.8');
    expect(await priceOf(params)).toEqual({ source: 'factor', input: '1.6', output: '8' });
    expect(await inForce(params)).toEqual({ factor: 800_000, own: undefined });
    await set(params, { factor: null });
    expect((await priceOf(params)).source).toBe('unknown');
    expect((await inForce(params)).factor).toBeNull();
  });

  it('is its own for a model, with all meters, tiers and long prompts', async () => {
    const params = await makeChannel();
    const prices = {
      inputUsd: '1',
      cachedInputUsd: '0.1',
      cacheWriteUsd: '1.25',
      outputUsd: '4',
      perCallUsd: '0.001',
      extra: { webSearch: '0.01', audioInput: '2' },
      tiers: [{ tier: 'priority', factor: '2' }],
      longContext: { aboveTokens: 1000, inputUsd: '2', outputUsd: '8' },
    };
    const models = [{ model: catalog.publicId, prices }];
    const { reply } = await set(params, { factor: '0.5', models });
    expect(reply.models).toMatchObject([{ source: 'own', prices, listPrices: { inputUsd: '2' } }]);
    const { own } = await inForce(params);
    expect(own).toMatchObject({
      prices: { inputNanoUsd: 1e9, cachedInputNanoUsd: 1e8, extra: { webSearch: 1e7 } },
      longContext: { aboveTokens: 1000, prices: { outputNanoUsd: 8e9, perCallNanoUsd: 1e6 } },
      tiers: { priority: 2_000_000 },
    });
    await set(params, { models: [{ model: catalog.publicId, prices: null }] });
    expect(await priceOf(params)).toEqual({ source: 'factor', input: '1', output: '5' });
    expect((await inForce(params)).own).toBeUndefined();
  });

  it('stays as it is in what an import does not say', async () => {
    const params = await makeChannel();
    const model = catalog.publicId;
    const first = { inputUsd: '1', outputUsd: '4', cachedInputUsd: '0.1' };
    await set(params, { models: [{ model, prices: first }] });
    await set(params, { models: [{ model, prices: { inputUsd: '2', outputUsd: '5' } }] });
    const { reply } = await fixture.ask('getUpstreamPrices', { as: admin, params });
    expect(reply.models[0]?.prices).toMatchObject({ inputUsd: '2', cachedInputUsd: '0.1' });
  });

  it('keeps its history, and writes nothing where nothing changes', async () => {
    const params = await makeChannel();
    const models = [{ model: catalog.publicId, prices: { inputUsd: '1', outputUsd: '4' } }];
    await set(params, { factor: '0.8', models });
    await set(params, { factor: '0.8', models });
    await set(params, { factor: '0.80', models });
    await set(params, { factor: '0.7' });
    const { rows } = await fixture.pool.query<{ factor: number }>(
      'select factor_ppm as factor from upstream_price_factors where channel_id = $1 order by effective_from',
      [params.channelId],
    );
    expect(rows.map(({ factor }) => factor)).toEqual([800_000, 700_000]);
    const own = await fixture.pool.query('select 1 from upstream_prices where channel_id = $1', [
      params.channelId,
    ]);
    expect(own.rowCount).toBe(1);
  });

  it('outlives a change of the channel’s models', async () => {
    const params = await makeChannel();
    const { modelId, publicId } = catalog;
    await set(params, {
      models: [{ model: publicId, prices: { inputUsd: '1', outputUsd: '4' } }],
    });
    const models = [{ modelId, upstreamName: 'another name' }];
    await fixture.ask('updateChannel', { as: admin, params, anyVersion: true, body: { models } });
    expect((await priceOf(params)).source).toBe('own');
  });

  it('goes with its channel', async () => {
    const params = await makeChannel();
    await set(params, { factor: '0.8' });
    expect((await fixture.ask('deleteChannel', { as: admin, params })).status).toBe(204);
  });

  it('is in the audit log for administrators, and not for supporters', async () => {
    const params = await makeChannel();
    await set(params, { factor: '0.321' });
    const support = await fixture.support();
    const log = (as: Person) => fixture.ask('listAuditEntries', { as });
    const entries = (await log(admin)).reply.data;
    expect(entries[0]).toMatchObject({
      action: 'updateUpstreamPrices',
      subjectId: params.channelId,
      before: { factor: null },
      after: { factor: '0.321' },
    });
    const seen = await log(support);
    expect(seen.status).toBe(200);
    expect(seen.reply.data.length).toBeGreaterThan(0);
    expect(seen.text).not.toContain('updateUpstreamPrices');
    expect(seen.text).not.toContain('0.321');
  });
});
