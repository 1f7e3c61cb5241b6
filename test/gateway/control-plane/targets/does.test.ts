import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepLearned } from '../../../../gateway/catalog/learned-refusals.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let upstream: FakeUpstream;
let made = 0;

const DAY_MS = 86_400_000;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(async () => {
  await fixture.close();
  await upstream.close();
});

async function makeChannel(body: object = {}) {
  made += 1;
  const answered = await fixture.ask('createChannel', {
    as: admin,
    body: {
      name: `channel ${String(made)}`,
      baseUrl: upstream.url,
      allowPrivate: true,
      models: [{ modelId: catalog.modelId, upstreamName: 'gpt-5.1' }],
      ...body,
    },
  });
  return answered.reply;
}

async function change(channelId: string, body: object) {
  const params = { channelId };
  return fixture.ask('updateChannel', { as: admin, params, anyVersion: true, body });
}

async function targetsOf(channelId: string) {
  return (await fixture.ask('listTargets', { as: admin, params: { channelId } })).reply.data;
}

/** Two fields that the upstream has refused of two accounts, or of one. */
async function learn(channelId: string, field: string, accounts = 2): Promise<void> {
  for (let account = 0; account < accounts; account += 1) {
    await keepLearned(fixture.pool, {
      channelId,
      upstreamModel: 'gpt-5.1',
      protocol: 'openai-chat',
      field,
      accountId: `00000000-0000-7000-8000-00000000000${String(account)}`,
      message: `Unknown parameter: '${field}'.`,
    });
  }
}

describe('the profile of a model at a channel', () => {
  it('is found by address and name', async () => {
    const { id } = await makeChannel({ baseUrl: 'https://api.openai.com/v1' });
    expect(await targetsOf(id)).toEqual([
      {
        modelId: catalog.modelId,
        upstreamName: 'gpt-5.1',
        profile: 'openai/gpt-5.1',
        isChosen: false,
        omissions: expect.arrayContaining(['sampling_while_thinking']) as unknown,
        refusedFields: expect.any(Array) as unknown,
        efforts: ['none', 'low', 'medium', 'high'],
        outputLimitField: 'max_completion_tokens',
        developerAsSystem: expect.any(Boolean) as unknown,
        toolNameCharactersMax: 64,
        learned: [],
      },
    ]);
  });

  it('may be chosen, stays when only other things change, and can be left to the rule again', async () => {
    const { id } = await makeChannel();
    const model = { modelId: catalog.modelId, upstreamName: 'gpt-5.1' };
    const profile = 'cerebras/gpt-oss';
    const chosen = await change(id, { models: [{ ...model, profile }] });
    expect(chosen.reply.models).toEqual([{ ...model, profile }]);
    expect(await targetsOf(id)).toMatchObject([{ profile, isChosen: true }]);

    await change(id, { weight: 3, models: [{ ...model, upstreamName: 'gpt-oss' }] });
    expect(await targetsOf(id)).toMatchObject([{ upstreamName: 'gpt-oss', profile }]);

    await change(id, { models: [{ ...model, profile: null }] });
    expect(await targetsOf(id)).toMatchObject([{ profile: 'generic/gpt-5.1', isChosen: false }]);
  });

  it('may be generic, or a vendor whose family is found by name', async () => {
    const { id } = await makeChannel();
    const model = { modelId: catalog.modelId, upstreamName: 'gpt-5.1' };
    for (const [profile, inForce] of [
      ['generic', 'generic'],
      ['groq', 'groq/gpt-5.1'],
    ]) {
      await change(id, { models: [{ ...model, profile }] });
      expect(await targetsOf(id)).toMatchObject([{ profile: inForce, isChosen: true }]);
    }
  });

  it('can be any of the list', async () => {
    const { vendors, families } = (await fixture.ask('listTargetProfiles', { as: admin })).reply;
    const { id } = await makeChannel();
    for (const vendor of vendors.slice(0, 3)) {
      const profile = `${vendor.id}/${families.at(-1)?.id ?? ''}`;
      const models = [{ modelId: catalog.modelId, upstreamName: 'm', profile }];
      expect((await change(id, { models })).reply.models).toMatchObject([{ profile }]);
    }
  });

  it('holds for a test of the channel, and so does what was learned', async () => {
    const { id } = await makeChannel({ outputLimitField: null });
    const model = { modelId: catalog.modelId, upstreamName: 'gpt-5.1' };
    const test = async (): Promise<object> => {
      await fixture.ask('testChannel', { as: admin, params: { channelId: id }, body: {} });
      return upstream.requests.at(-1)?.body as object;
    };
    expect(await test()).toHaveProperty('max_completion_tokens');
    expect(await test()).toHaveProperty('stream_options');
    await change(id, { models: [{ ...model, profile: 'generic' }] });
    await learn(id, 'stream_options', 1);
    const body = await test();
    expect(body).toHaveProperty('max_tokens');
    expect(body).not.toHaveProperty('stream_options');
  });
});

describe('a learned refusal', () => {
  it('is shown with the upstream’s words, and for whom it holds', async () => {
    const { id } = await makeChannel();
    await learn(id, 'store');
    await learn(id, 'user', 1);
    const [target] = await targetsOf(id);
    expect(target?.learned).toMatchObject([
      { field: 'store', isForAll: true, message: "Unknown parameter: 'store'." },
      { field: 'user', isForAll: false, protocol: 'openai-chat' },
    ]);
    const [first] = target?.learned ?? [];
    const [from, until] = [first?.learnedAt ?? '', first?.expiresAt ?? ''];
    // From the second account's refusal on.
    expect(Date.parse(until) - Date.parse(from)).toBeGreaterThanOrEqual(DAY_MS);
  });

  it('can be kept for good, and for a day again', async () => {
    const { id } = await makeChannel();
    await learn(id, 'store', 1);
    const refusalId = (await targetsOf(id))[0]?.learned[0]?.id ?? '';
    const params = { channelId: id, refusalId };
    const keep = (kept: boolean) =>
      fixture.ask('updateLearnedRefusal', { as: admin, params, body: { kept } });
    expect((await keep(true)).reply).toMatchObject({ expiresAt: null, isForAll: true });
    expect((await keep(false)).reply.expiresAt).not.toBeNull();
    const log = await fixture.ask('listAuditEntries', { as: admin });
    expect(log.reply.data[0]).toMatchObject({
      action: 'updateLearnedRefusal',
      subjectKind: 'channel',
      subjectId: id,
    });
  });

  it('can be forgotten', async () => {
    const { id } = await makeChannel();
    await learn(id, 'store');
    const refusalId = (await targetsOf(id))[0]?.learned[0]?.id ?? '';
    const params = { channelId: id, refusalId };
    await fixture.ask('deleteLearnedRefusal', { as: admin, params });
    expect((await targetsOf(id))[0]?.learned).toEqual([]);
  });

  it('is forgotten with the upstream that it was learned of, and not by other changes', async () => {
    const { id, baseUrl } = await makeChannel();
    await learn(id, 'store');
    await change(id, { weight: 2, baseUrl });
    expect((await targetsOf(id))[0]?.learned).toHaveLength(1);
    await change(id, { baseUrl: `${baseUrl}/other` });
    expect((await targetsOf(id))[0]?.learned).toEqual([]);
  });
});
