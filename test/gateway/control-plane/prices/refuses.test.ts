import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

function create(body: object) {
  const params = { modelId: catalog.modelId };
  return fixture.ask('createPrice', {
    as: admin,
    params,
    body: { inputUsd: '1', outputUsd: '1', ...body },
  });
}

const HIGH = { variant: 'high', usd: '0.2' };
const NO_TOKENS = { inputUsd: '0', outputUsd: '0', cachedInputUsd: null, cacheWriteUsd: null };

describe('a price is refused', () => {
  it.each([
    [{ inputUsd: '-1' }],
    [{ inputUsd: 1 }],
    [{ inputUsd: '9007200' }],
    [{ outputUsd: '0.0000000001' }],
    [{ effectiveFrom: '2001-01-01T00:00:00Z' }],
    [{ effectiveFrom: 'soon' }],
    [{ extra: { webSearch: '-1' } }],
    [{ extra: { webSearch: '9007200' } }],
    [{ extra: { unknownMeter: '1' } }],
    [{ extra: { second: '1', secondsMin: 0 } }],
    [{ extra: { second: '1', secondsMin: 3_601 } }],
    [{ extra: { image: '1', variants: [{ variant: 'A B C', usd: '1' }] } }],
  ])('with %j', async (body) => {
    expect((await create(body)).status).toBe(400);
    const { data } = (
      await fixture.ask('listPrices', { as: admin, params: { modelId: catalog.modelId } })
    ).reply;
    expect(data).toHaveLength(1);
  });

  it.each([
    ['inputUsd', { inputUsd: '0.999999999', cachedInputUsd: '1', cacheWriteUsd: '1' }],
    ['outputUsd', { outputUsd: '0.9' }],
    ['cachedInputUsd', { cachedInputUsd: '0.9' }],
    ['cacheWriteUsd', { inputUsd: '1.1', cacheWriteUsd: '0.9' }],
    ['inputUsd', { inputUsd: '9007200' }],
    ['aboveTokens', { aboveTokens: 0 }],
    ['extra.audioInput', { inputUsd: '2', extra: { audioInput: '1.9' } }],
    ['extra.audioInput', { inputUsd: '1.5' }],
    ['extra.cacheWrite1h', { extra: { cacheWrite1h: '0.5', audioInput: '2' } }],
  ])('with a wrong %s of long prompts: none may cost less than a short one', async (...row) => {
    const [field, wrong] = row;
    const longContext = { aboveTokens: 10, inputUsd: '1', outputUsd: '1', ...wrong };
    const { status, problem } = await create({ longContext, extra: { audioInput: '2' } });
    expect(status).toBe(400);
    const [error] = problem.errors ?? [];
    expect(error?.field).toMatch(new RegExp(`longContext[./]${field}$`));
  });

  it.each([
    [{ aboveTokens: 10, inputUsd: '1' }],
    [{ inputUsd: '1', outputUsd: '1' }],
    [{ aboveTokens: 10, inputUsd: '1', outputUsd: '1', perCallUsd: '1' }],
    [{ aboveTokens: 10, inputUsd: '1', outputUsd: '1', extra: { webSearch: '1' } }],
  ])('with %j for long prompts: some too few or too many', async (longContext) => {
    expect((await create({ longContext })).status).toBe(400);
  });

  it.each([
    ['inputUsd', { extra: { image: '0.04' } }],
    ['outputUsd', { inputUsd: '0', cachedInputUsd: null, extra: { image: '0' } }],
    ['perCallUsd', { ...NO_TOKENS, perCallUsd: '1', extra: { image: '0.04' } }],
    ['extra.imageInput', { ...NO_TOKENS, extra: { image: '0.04', imageInput: '2' } }],
    ['extra.variants', { extra: { variants: [{ variant: 'high', usd: '0.2' }] } }],
    ['extra.variants', { ...NO_TOKENS, extra: { image: '1', variants: [HIGH, HIGH] } }],
    ['extra.secondsMin', { extra: { secondsMin: 10 } }],
    ['extra.secondsMin', { ...NO_TOKENS, extra: { image: '1', secondsMin: 10 } }],
  ])('in two bases, by naming %s: a request would be billed by one of them', async (...row) => {
    const [field, body] = row;
    const { status, problem } = await create(body);
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.field).toBe(field);
  });

  it('when there is one from the same time on', async () => {
    const effectiveFrom = '2100-01-01T00:00:00Z';
    expect((await create({ effectiveFrom })).status).toBe(201);
    expect((await create({ effectiveFrom })).problem.code).toBe('already_exists');
    await fixture.ask('deletePrice', {
      as: admin,
      params: { modelId: catalog.modelId, effectiveFrom },
    });
  });

  it('that says nothing about cached input, and would make it cost more than input', async () => {
    const [before, after] = ['2100-01-01T00:00:00Z', '2101-01-01T00:00:00Z'];
    const cached = { effectiveFrom: before, inputUsd: '1', cachedInputUsd: '0.5' };
    expect((await create(cached)).status).toBe(201);
    const cheaper = { effectiveFrom: after, inputUsd: '0.499999999' };
    const { status, problem } = await create(cheaper);
    expect(status).toBe(400);
    expect(problem.errors).toMatchObject([{ field: 'cachedInputUsd' }]);
    expect((await create({ ...cheaper, inputUsd: '0.5' })).status).toBe(201);
    for (const effectiveFrom of [after, before]) {
      const params = { modelId: catalog.modelId, effectiveFrom };
      await fixture.ask('deletePrice', { as: admin, params });
    }
  });

  it('to be taken back once it is or was in force', async () => {
    const params = { modelId: catalog.modelId };
    const { data } = (await fixture.ask('listPrices', { as: admin, params })).reply;
    const effectiveFrom = data[0]?.effectiveFrom ?? '';
    const tried = await fixture.ask('deletePrice', {
      as: admin,
      params: { ...params, effectiveFrom },
    });
    expect(tried.problem.code).toBe('state_conflict');
    const none = { ...params, effectiveFrom: '2099-01-01T00:00:00Z' };
    expect((await fixture.ask('deletePrice', { as: admin, params: none })).problem.code).toBe(
      'not_found',
    );
  });

  it('of a model that does not exist', async () => {
    const params = { modelId: '00000000-0000-7000-8000-000000000000' };
    const body = { inputUsd: '1', outputUsd: '1' };
    expect((await fixture.ask('createPrice', { as: admin, params, body })).problem.code).toBe(
      'not_found',
    );
    expect((await fixture.ask('listPrices', { as: admin, params })).problem.code).toBe('not_found');
  });
});
