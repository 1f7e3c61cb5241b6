import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let params: { channelId: string };

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  const models = [{ modelId: catalog.modelId, upstreamName: 'up' }];
  const body = { name: 'a channel', baseUrl: 'https://8.8.8.8/v1', models };
  params = { channelId: (await fixture.ask('createChannel', { as: admin, body })).reply.id };
});
afterAll(() => fixture.close());

const set = (body: object, to = params) =>
  fixture.ask('updateUpstreamPrices', { as: admin, params: to, body });
const PRICES = { inputUsd: '1', outputUsd: '4' };

describe('prices of an upstream are refused', () => {
  it.each([{ factor: '-1' }, { factor: '1,5' }, { factor: 0.8 }, { factors: '0.8' }])(
    'where the factor is %j',
    async (body) => {
      expect((await set(body)).status).toBe(400);
    },
  );

  it('with the line that is wrong, and then none of them is set', async () => {
    const good = { model: catalog.publicId, prices: PRICES };
    const away = await set({ factor: '0.5', models: [good, { model: 'none', prices: PRICES }] });
    expect(away.problem).toMatchObject({ errors: [{ field: 'models.1.model' }] });
    const twice = await set({ models: [good, good] });
    expect(twice.problem).toMatchObject({ errors: [{ field: 'models.1.model' }] });
    const longContext = { aboveTokens: 9, inputUsd: '0.5', outputUsd: '4' };
    const cheap = await set({ models: [{ ...good, prices: { ...PRICES, longContext } }] });
    const field = 'models.0.prices.longContext.inputUsd';
    expect(cheap.problem).toMatchObject({ errors: [{ field }] });
    const { reply } = await fixture.ask('getUpstreamPrices', { as: admin, params });
    expect(reply).toMatchObject({ factor: null, models: [{ source: 'unknown' }] });
  });

  it('for a channel that is not there', async () => {
    const nowhere = { channelId: randomUUID() };
    expect((await set({ factor: '1' }, nowhere)).problem.code).toBe('not_found');
    const read = await fixture.ask('getUpstreamPrices', { as: admin, params: nowhere });
    expect(read.problem.code).toBe('not_found');
  });
});
