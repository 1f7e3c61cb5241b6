import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

const NOBODY = '00000000-0000-7000-8000-000000000000';
const GOOD = { publicId: 'good', contextTokensMax: 10, outputTokensMax: 10 };

describe('a model is refused', () => {
  it.each([
    [{ publicId: '' }],
    [{ publicId: 'with space' }],
    [{ publicId: '-begins-badly' }],
    [{ publicId: 'x'.repeat(129) }],
    [{ contextTokensMax: 0 }],
    [{ outputTokensMax: 2_147_483_648 }],
    [{ capabilities: ['magic'] }],
    [{ groupIds: [NOBODY] }],
  ])('with %j', async (body) => {
    expect(
      (await fixture.ask('createModel', { as: admin, body: { ...GOOD, ...body } })).status,
    ).toBe(400);
  });

  it('with a public ID that is taken', async () => {
    const { publicId } = await makeCatalog(fixture, admin);
    const again = await fixture.ask('createModel', { as: admin, body: { ...GOOD, publicId } });
    expect(again.problem).toMatchObject({ status: 409, code: 'already_exists' });
  });

  it('to be deleted while a group lists it', async () => {
    const { modelId } = await makeCatalog(fixture, admin);
    const tried = await fixture.ask('deleteModel', { as: admin, params: { modelId } });
    expect(tried.problem.code).toBe('in_use');
  });

  it('a change over one that was made meanwhile', async () => {
    const { modelId } = await makeCatalog(fixture, admin);
    const params = { modelId };
    const seen = await fixture.ask('getModel', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    await fixture.ask('updateModel', { as: admin, params, headers, body: { vendor: 'One' } });
    const late = await fixture.ask('updateModel', {
      as: admin,
      params,
      headers,
      body: { vendor: 'Two' },
    });
    expect(late.problem.code).toBe('precondition_failed');
  });
});

describe('an import is refused whole', () => {
  it('when one of its models is bad, which is named', async () => {
    const models = [
      { ...GOOD, publicId: 'whole-1' },
      { ...GOOD, publicId: 'whole-2', prices: { inputUsd: '99999999', outputUsd: '1' } },
    ];
    const tried = await fixture.ask('importModels', { as: admin, body: { models } });
    expect(tried.problem).toMatchObject({
      code: 'invalid_value',
      errors: [{ field: 'models.1.prices.inputUsd' }],
    });
    expect(tried.problem.detail).toMatch(/^whole-2: /);
    const { rows } = await fixture.pool.query(
      `select 1 from models where public_id like 'whole-%'`,
    );
    expect(rows).toEqual([]);
  });

  it('a price of 0 that was not confirmed, and says in the dry run which one it is', async () => {
    const free = (publicId: string, prices: object) => ({ ...GOOD, publicId, prices });
    const models = [
      free('free-chat', { inputUsd: '0', outputUsd: '0' }),
      free('free-input', { inputUsd: '0', outputUsd: '1' }),
      free('paid-by-call', { inputUsd: '0', outputUsd: '0', perCallUsd: '0.01' }),
      free('embeddings', { inputUsd: '0.1', outputUsd: '0' }),
    ];
    const send = (body: object) =>
      fixture.ask('importModels', { as: admin, body: { models, ...body } });
    expect((await send({ dryRun: true })).reply.free).toEqual(['free-chat', 'free-input']);
    const refused = await send({ freeModels: ['free-input'] });
    expect(refused.problem.errors?.[0]?.field).toBe('freeModels');
    expect(refused.problem.detail).toContain('free-chat would cost nothing');
    const list = await fixture.ask('listModels', { as: admin, query: { search: 'free-' } });
    expect(list.reply.data).toEqual([]);
    const done = await send({ freeModels: ['free-input', 'free-chat'] });
    expect(done.reply).toMatchObject({ free: [], dryRun: false });
    // What is free already is not asked about again.
    expect((await send({})).status).toBe(200);
  });

  it('when a model that keeps what long prompts cost would charge more for others', async () => {
    const model = { ...GOOD, publicId: 'long-1' };
    const longContext = { aboveTokens: 10, inputUsd: '4', outputUsd: '8' };
    const imported = (prices: object) =>
      fixture.ask('importModels', {
        as: admin,
        body: {
          models: [
            { ...GOOD, publicId: 'long-0' },
            { ...model, ...prices },
          ],
        },
      });
    await imported({ prices: { inputUsd: '2', outputUsd: '4', longContext } });
    const { problem } = await imported({ prices: { inputUsd: '5', outputUsd: '4' } });
    expect(problem.detail).toContain('long-1: A long prompt must not cost less');
    expect(problem.errors?.[0]?.field).toBe('models.1.prices.longContext.inputUsd');
  });

  it('when it names a model twice, or none', async () => {
    const twice = await fixture.ask('importModels', { as: admin, body: { models: [GOOD, GOOD] } });
    expect(twice.problem.detail).toContain('twice');
    expect((await fixture.ask('importModels', { as: admin, body: { models: [] } })).status).toBe(
      400,
    );
  });
});
