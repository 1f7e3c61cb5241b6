import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PriceCreate } from '@weir/shared/prices/prices';
import { makeCatalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

describe('a model', () => {
  it('is made, changed and deleted', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    const body = {
      publicId: 'vendor/model-1:free',
      displayName: 'Model One',
      vendor: 'Vendor',
      description: 'The first',
      contextTokensMax: 128_000,
      outputTokensMax: 16_384,
      capabilities: ['vision', 'tools'] as const,
      sortOrder: 5,
      groupIds: [groupId],
    };
    const made = await fixture.ask('createModel', { as: admin, body });
    expect(made.reply).toMatchObject({ ...body, status: 'active', price: null, channelIds: [] });
    const params = { modelId: made.reply.id };
    const changed = await fixture.ask('updateModel', {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'disabled', groupIds: [], capabilities: [] },
    });
    expect(changed.reply).toMatchObject({ status: 'disabled', groupIds: [], capabilities: [] });
    expect((await fixture.ask('deleteModel', { as: admin, params })).status).toBe(204);
    expect((await fixture.ask('getModel', { as: admin, params })).status).toBe(404);
  });

  it('that is renamed takes its new name into the keys that are limited to it', async () => {
    const { groupId, modelId, publicId } = await makeCatalog(fixture, admin);
    const owner = await fixture.user();
    const key = { name: 'limited', groupId, modelAllowlist: [publicId] };
    const made = await fixture.ask('createKey', { as: owner, body: key });
    const params = { keyId: made.reply.id };
    const renamed = await fixture.ask('updateModel', {
      as: admin,
      anyVersion: true,
      params: { modelId },
      body: { publicId: `${publicId}-2` },
    });
    expect(renamed.status).toBe(200);
    const { reply } = await fixture.ask('getKey', { as: owner, params });
    expect(reply.modelAllowlist).toEqual([`${publicId}-2`]);
    const { rows } = await fixture.pool.query<{ kind: string }>(
      `select kind from changes where kind = 'key' and ref = $1`,
      [made.reply.id],
    );
    expect(rows).toHaveLength(2);
  });

  it('tells the channels that list it as long as they are active', async () => {
    const { modelId, publicId } = await makeCatalog(fixture, admin);
    const models = [{ modelId, upstreamName: publicId }];
    const body = { name: 'a channel', baseUrl: 'https://1.1.1.1/v1', models };
    const channel = await fixture.ask('createChannel', { as: admin, body });
    const told = async () =>
      (await fixture.ask('getModel', { as: admin, params: { modelId } })).reply.channelIds;
    expect(await told()).toEqual([channel.reply.id]);
    const params = { channelId: channel.reply.id };
    const disabling = {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'disabled' },
    } as const;
    await fixture.ask('updateChannel', disabling);
    expect(await told()).toEqual([]);
  });

  it('takes its public ID for its name when none is given', async () => {
    const body = { publicId: 'nameless', contextTokensMax: 10, outputTokensMax: 10 };
    expect((await fixture.ask('createModel', { as: admin, body })).reply.displayName).toBe(
      'nameless',
    );
  });

  it('is found by search, status and group, in order, page by page', async () => {
    const { groupId } = await makeCatalog(fixture, admin);
    for (const [publicId, sortOrder] of [
      ['list-c', -1],
      ['list-a', 1],
      ['list-b', 0],
    ] as const) {
      const body = {
        publicId,
        sortOrder,
        contextTokensMax: 10,
        outputTokensMax: 10,
        groupIds: [groupId],
      };
      await fixture.ask('createModel', { as: admin, body });
    }
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = {
        groupId,
        search: 'LIST-',
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = (await fixture.ask('listModels', { as: admin, query })).reply;
      found.push(...page.data.map(({ publicId }) => publicId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(['list-c', 'list-b', 'list-a']);
    const none = await fixture.ask('listModels', {
      as: admin,
      query: { groupId, status: 'disabled' },
    });
    expect(none.reply.data).toEqual([]);
  });
});

describe('an import', () => {
  const models = (price: string) => [
    {
      publicId: 'import-1',
      contextTokensMax: 10,
      outputTokensMax: 5,
      prices: { inputUsd: price, outputUsd: '4' },
    },
    { publicId: 'import-2', contextTokensMax: 10, outputTokensMax: 5 },
  ];

  it('says what it would do, and does nothing when asked only that', async () => {
    const body = { models: models('1'), dryRun: true };
    const told = await fixture.ask('importModels', { as: admin, body });
    expect(told.reply).toMatchObject({
      dryRun: true,
      created: ['import-1', 'import-2'],
      updated: [],
      repriced: ['import-1'],
      changes: [{ publicId: 'import-1', before: null, after: { inputUsd: '1', outputUsd: '4' } }],
    });
    const { rows } = await fixture.pool.query(
      `select 1 from models where public_id like 'import-%'`,
    );
    expect(rows).toEqual([]);
  });

  it('creates, then updates, and sets a price only where it differs', async () => {
    const body = (price: string) => ({ models: models(price) });
    const first = await fixture.ask('importModels', { as: admin, body: body('1') });
    expect(first.reply).toMatchObject({
      created: ['import-1', 'import-2'],
      repriced: ['import-1'],
    });
    const again = await fixture.ask('importModels', { as: admin, body: body('1') });
    expect(again.reply).toEqual({
      dryRun: false,
      created: [],
      updated: ['import-1', 'import-2'],
      repriced: [],
      changes: [],
      free: [],
    });
    const repriced = await fixture.ask('importModels', { as: admin, body: body('1.5') });
    expect(repriced.reply.repriced).toEqual(['import-1']);
    expect(repriced.reply.changes).toMatchObject([
      { publicId: 'import-1', before: { inputUsd: '1' }, after: { inputUsd: '1.5' } },
    ]);
    const found = await fixture.ask('listModels', { as: admin, query: { search: 'import-1' } });
    expect(found.reply.data[0]?.price).toMatchObject({ inputUsd: '1.5', cachedInputUsd: '1.5' });
  });

  it('sets a price of which only a tier differs', async () => {
    const priced = (factor: string) => ({
      publicId: 'import-tier',
      contextTokensMax: 10,
      outputTokensMax: 5,
      prices: { inputUsd: '1', outputUsd: '1', tiers: [{ tier: 'flex', factor }] },
    });
    const repricedBy = async (factor: string) => {
      const body = { models: [priced(factor)] };
      return (await fixture.ask('importModels', { as: admin, body })).reply.repriced.length;
    };
    expect([await repricedBy('0.5'), await repricedBy('0.5'), await repricedBy('0.6')]).toEqual([
      1, 0, 1,
    ]);
  });

  it('knows what long prompts cost', async () => {
    const longContext = { aboveTokens: 1_000, inputUsd: '4', outputUsd: '8' };
    const repricedBy = async (changed: object | null | undefined) => {
      const prices = {
        inputUsd: '2',
        outputUsd: '4',
        ...(changed === undefined
          ? {}
          : { longContext: changed && { ...longContext, ...changed } }),
      };
      const model = { publicId: 'import-3', contextTokensMax: 10, outputTokensMax: 5, prices };
      const body = { models: [model] };
      return (await fixture.ask('importModels', { as: admin, body })).reply.repriced.length;
    };
    const changes = [{}, {}, { outputUsd: '9' }, { aboveTokens: 2_000 }, null, null, {}, undefined];
    const repriced: number[] = [];
    for (const changed of changes) repriced.push(await repricedBy(changed));
    expect(repriced).toEqual([1, 0, 1, 1, 1, 0, 1, 0]);
  });

  it('keeps what long prompts cost where it says nothing about them', async () => {
    const longContext = { aboveTokens: 1_000, inputUsd: '4', outputUsd: '8' };
    const imported = async (prices: {
      inputUsd: string;
      outputUsd: string;
      perCallUsd?: string;
      longContext?: typeof longContext;
    }) => {
      const model = { publicId: 'import-4', contextTokensMax: 10, outputTokensMax: 5, prices };
      await fixture.ask('importModels', { as: admin, body: { models: [model] } });
      const found = await fixture.ask('listModels', { as: admin, query: { search: 'import-4' } });
      return found.reply.data[0]?.price;
    };
    const before = await imported({ inputUsd: '2', outputUsd: '4', longContext });
    const after = await imported({ inputUsd: '3', outputUsd: '4', perCallUsd: '1' });
    expect(after).toMatchObject({ inputUsd: '3', perCallUsd: '1' });
    expect(after?.longContext).toMatchObject(longContext);
    expect(after?.longContext).toEqual(before?.longContext);
  });

  // The five columns of the table in the console, at the very prices in force, were refused with
  // all other lines.
  it('keeps what caches, calls and long prompts cost where it says nothing about them', async () => {
    const own = { cachedInputUsd: '0.2', cacheWriteUsd: '2', perCallUsd: '0.01' };
    const longContext = {
      aboveTokens: 200_000,
      inputUsd: '4',
      cachedInputUsd: '0.4',
      cacheWriteUsd: '4',
      outputUsd: '18',
    };
    const imported = async (prices: Partial<PriceCreate>) => {
      const model = {
        publicId: 'import-5',
        contextTokensMax: 10,
        outputTokensMax: 5,
        prices: { inputUsd: '2', outputUsd: '12', ...prices },
      };
      const body = { models: [model, ...models('1')] };
      const { reply } = await fixture.ask('importModels', { as: admin, body });
      const found = await fixture.ask('listModels', { as: admin, query: { search: 'import-5' } });
      return { repriced: reply.repriced.includes('import-5'), ...found.reply.data[0]?.price };
    };
    await imported({ ...own, longContext });
    expect(await imported({})).toMatchObject({ repriced: false, ...own, longContext });
    // What had no price of its own goes with the input price.
    expect(await imported({ inputUsd: '3' })).toMatchObject({
      repriced: true,
      ...own,
      cacheWriteUsd: '3',
      longContext,
    });
    expect(await imported({ perCallUsd: null, longContext: null })).toMatchObject({
      repriced: true,
      cachedInputUsd: '0.2',
      perCallUsd: '0',
      longContext: null,
    });
    expect(await imported({ cachedInputUsd: null })).toMatchObject({ cachedInputUsd: '2' });
    const extra = { cacheWrite1h: '4', webSearch: '0.01' };
    expect(await imported({ extra })).toMatchObject({ repriced: true, extra });
    expect(await imported({})).toMatchObject({ repriced: false, extra });
    expect(await imported({ extra: { webSearch: null } })).toMatchObject({
      repriced: true,
      extra: { cacheWrite1h: '4' },
    });
  });
});
