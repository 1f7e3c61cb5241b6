import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let channelId: string;

const NOBODY = '00000000-0000-7000-8000-000000000000';

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
  const body = { name: 'channel', baseUrl: 'http://127.0.0.1:9/v1', allowPrivate: true };
  channelId = (await fixture.ask('createChannel', { as: admin, body })).reply.id;
});
afterAll(async () => {
  await fixture.close();
});

describe('a target profile', () => {
  it.each(['gpt-5.1', 'openai/gpt-99', 'nobody', 'openai/gpt-5.1/x', 'OpenAI', ''])(
    'is refused where there is none: "%s"',
    async (profile) => {
      const models = [{ modelId: catalog.modelId, upstreamName: 'm', profile }];
      const params = { channelId };
      const asking = { as: admin, params, anyVersion: true, body: { models } } as const;
      const { status } = await fixture.ask('updateChannel', asking);
      expect(status).toBe(400);
      const stored = await fixture.ask('getChannel', { as: admin, params });
      expect(stored.reply.models).toEqual([]);
    },
  );

  it('is refused with the ids that there are, for a new channel too', async () => {
    const models = [{ modelId: catalog.modelId, upstreamName: 'm', profile: 'openai/gpt-99' }];
    const body = { name: 'another', baseUrl: 'http://127.0.0.1:9/v1', allowPrivate: true, models };
    const { status, problem } = await fixture.ask('createChannel', { as: admin, body });
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid_value', errors: [{ field: 'models' }] });
    expect(problem.detail).toMatch(/no target profile "openai\/gpt-99".*groq.*llama-cpp.*gpt-5\.1/);
  });
});

describe('learned refusals', () => {
  it.each(['updateLearnedRefusal', 'deleteLearnedRefusal'] as const)(
    '%s refuses one that is not there',
    async (route) => {
      const params = { channelId, refusalId: NOBODY };
      const body = route === 'updateLearnedRefusal' ? { body: { kept: true } } : {};
      const { status } = await fixture.ask(route, { as: admin, params, ...body });
      expect(status).toBe(404);
    },
  );

  it('are those of a channel that there is', async () => {
    const { status } = await fixture.ask('listTargets', {
      as: admin,
      params: { channelId: NOBODY },
    });
    expect(status).toBe(404);
  });
});
