import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_OUTCOMES } from '../../../../gateway/data-plane/routing/health/channel-outcomes.ts';
import { unseal } from '../../../../gateway/platform/secrets/secrets.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const SECRET = 'upstream-credential-of-32-letters';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let upstream: FakeUpstream;
let made = 0;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  fixture = await createAdminFixture({
    channelStatus: () => [
      {
        channelId: sick,
        state: 'open',
        retryAtMs: Date.UTC(2100, 0, 1),
        limitedModels: [
          { upstreamModel: 'upstream-model', untilMs: Date.UTC(2100, 0, 2), reason: 'limited' },
        ],
        outcomes: NO_OUTCOMES,
      },
      { channelId: tried, state: 'closed', retryAtMs: null, limitedModels: [], outcomes },
    ],
  });
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(async () => {
  await fixture.close();
  await upstream.close();
});

let sick = '';
/** A channel that requests were sent to, and how they ended. */
let tried = '';
let outcomes = NO_OUTCOMES;

async function makeChannel(body: object = {}) {
  made += 1;
  const answered = await fixture.ask('createChannel', {
    as: admin,
    body: {
      name: `channel ${String(made)}`,
      baseUrl: upstream.url,
      allowPrivate: true,
      credentials: [SECRET],
      models: [{ modelId: catalog.modelId, upstreamName: 'upstream-model' }],
      ...body,
    },
  });
  return answered.reply;
}

describe('a channel', () => {
  it.each([
    ['openai', 'https://api.anthropic.com/v1'],
    ['openai', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['openai', 'https://weir.openai.azure.com/openai/v1'],
    ['anthropic', 'https://api.anthropic.com/v1'],
    ['anthropic', 'https://bedrock-runtime.us-east-1.amazonaws.com/anthropic'],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta'],
    ['azure', 'https://weir.openai.azure.com/openai/v1/'],
  ])('may be of kind %s at %s', async (kind, baseUrl) => {
    expect(await makeChannel({ kind, baseUrl })).toMatchObject({
      kind,
      baseUrl,
      protocols: null,
      fieldPolicy: 'known',
      proxy: null,
      storesResponses: false,
    });
  });

  it('is made, changed and deleted', async () => {
    const channel = await makeChannel({
      priority: 10,
      weight: 3,
      firstByteTimeoutMs: 5_000,
      concurrencyMax: 7,
      outputLimitField: 'max_completion_tokens',
      omittedFields: ['stream_options', 'store'],
      locations: ['global', 'claude-opus-5-5=us-east5'],
      protocols: ['openai-responses', 'openai-chat'],
      fieldPolicy: 'all',
      proxy: 'http://proxy.test:3128',
      storesResponses: true,
      groupIds: [catalog.groupId],
    });
    expect(channel).toMatchObject({
      priority: 10,
      weight: 3,
      firstByteTimeoutMs: 5_000,
      concurrencyMax: 7,
      outputLimitField: 'max_completion_tokens',
      omittedFields: ['stream_options', 'store'],
      locations: ['global', 'claude-opus-5-5=us-east5'],
      protocols: ['openai-responses', 'openai-chat'],
      fieldPolicy: 'all',
      proxy: 'http://proxy.test:3128',
      storesResponses: true,
      groupIds: [catalog.groupId],
      models: [{ modelId: catalog.modelId, upstreamName: 'upstream-model' }],
      status: 'active',
      health: { state: 'unknown', retryAt: null, failure: null, limitedModels: [], lastTest: null },
    });
    const params = { channelId: channel.id };
    const changed = await fixture.ask('updateChannel', {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'disabled', groupIds: [], models: [], weight: 1 },
    });
    expect(changed.reply).toMatchObject({
      status: 'disabled',
      groupIds: [],
      models: [],
      weight: 1,
    });
    expect((await fixture.ask('deleteChannel', { as: admin, params })).status).toBe(204);
    const { rows } = await fixture.pool.query(
      'select 1 from channel_credentials where channel_id = $1',
      [channel.id],
    );
    expect(rows).toEqual([]);
  });

  it('seals its credentials and never tells them again', async () => {
    const channel = await makeChannel();
    expect(channel.credentials).toMatchObject([{ hint: 'ters', status: 'active' }]);
    const { rows } = await fixture.pool.query<{ sealed: string }>(
      'select sealed from channel_credentials where channel_id = $1',
      [channel.id],
    );
    expect(rows[0]?.sealed).not.toContain(SECRET);
    expect(unseal(TEST_SECRETS, rows[0]?.sealed ?? '')).toBe(SECRET);
    for (const answered of [
      await fixture.ask('getChannel', { as: admin, params: { channelId: channel.id } }),
      await fixture.ask('listChannels', { as: admin }),
      await fixture.ask('listAuditEntries', { as: admin }),
    ]) {
      expect(answered.text).not.toContain(SECRET);
    }
  });

  it('takes several credentials, each disabled and deleted by itself', async () => {
    const { id: channelId } = await makeChannel();
    const added = await fixture.ask('createCredential', {
      as: admin,
      params: { channelId },
      body: { secret: 'short-one' },
    });
    expect(added.reply.hint).toBe('');
    const params = { channelId, credentialId: added.reply.id };
    const body = { status: 'disabled' };
    const disabled = await fixture.ask('updateCredential', { as: admin, params, body });
    expect(disabled.reply.status).toBe('disabled');
    expect((await fixture.ask('deleteCredential', { as: admin, params })).status).toBe(204);
    const shown = await fixture.ask('getChannel', { as: admin, params: { channelId } });
    expect(shown.reply.credentials).toHaveLength(1);
  });

  it('shows the health that the gateways see', async () => {
    sick = (await makeChannel()).id;
    const shown = await fixture.ask('getChannel', { as: admin, params: { channelId: sick } });
    expect(shown.reply.health).toMatchObject({
      state: 'open',
      retryAt: '2100-01-01T00:00:00.000Z',
      limitedModels: [
        { upstreamName: 'upstream-model', until: '2100-01-02T00:00:00.000Z', reason: 'limited' },
      ],
    });
  });
});

describe('the test of a channel', () => {
  it('asks for a whole reply and a stream, and tells the reply, the latency and that it worked', async () => {
    const channel = await makeChannel();
    upstream.reset();
    const params = { channelId: channel.id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.reply).toMatchObject({
      ok: true,
      upstreamName: 'upstream-model',
      httpStatus: 200,
      error: null,
    });
    expect(tested.reply.reply).not.toBe('');
    expect(upstream.requests).toHaveLength(2);
    expect(upstream.requests[0]?.headers['authorization']).toBe(`Bearer ${SECRET}`);
    const shown = await fixture.ask('getChannel', { as: admin, params });
    expect(shown.reply.health).toMatchObject({ state: 'healthy', lastTest: { ok: true } });
  });

  it('names the output limit as the channel says, or as the model’s name suggests', async () => {
    const sent = async (settings: object) => {
      const channel = await makeChannel(settings);
      upstream.reset();
      await fixture.ask('testChannel', {
        as: admin,
        params: { channelId: channel.id },
        body: {},
      });
      return upstream.requests[0]?.body;
    };
    const reasoner = { models: [{ modelId: catalog.modelId, upstreamName: 'gpt-5-mini' }] };
    expect(await sent({})).toHaveProperty('max_tokens');
    expect(await sent(reasoner)).toHaveProperty('max_completion_tokens');
    const told = await sent({ ...reasoner, outputLimitField: 'max_tokens' });
    expect(told).toHaveProperty('max_tokens');
    expect(told).not.toHaveProperty('max_completion_tokens');
  });

  it('tells the upstream’s exact error', async () => {
    const channel = await makeChannel();
    upstream.behave('upstream-model', {
      kind: 'status',
      status: 401,
      body: JSON.stringify({
        error: { message: `wrong key ${SECRET} of sk-others-0123456789abcdef` },
      }),
    });
    const params = { channelId: channel.id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.reply).toMatchObject({ ok: false, httpStatus: 401, reply: null });
    expect(tested.reply.error).toContain('wrong key […] of […]');
    expect(tested.text).not.toContain(SECRET);
    upstream.reset();
  });

  it('tells why nothing answered', async () => {
    const channel = await makeChannel({ baseUrl: 'http://127.0.0.1:9/v1' });
    const params = { channelId: channel.id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.reply).toMatchObject({ ok: false, httpStatus: null });
    expect(tested.reply.error).toContain('ECONNREFUSED');
  });

  it('uses the credential that is named', async () => {
    const channel = await makeChannel();
    const params = { channelId: channel.id };
    const secret = 'the-second-credential-of-it';
    const added = await fixture.ask('createCredential', { as: admin, params, body: { secret } });
    upstream.reset();
    const body = { credentialId: added.reply.id };
    await fixture.ask('testChannel', { as: admin, params, body });
    expect(upstream.requests[0]?.headers['authorization']).toBe(`Bearer ${secret}`);
  });
});

describe('what a channel is called', () => {
  const healthOf = async () => {
    const params = { channelId: tried };
    const { reply } = await fixture.ask('getChannel', { as: admin, params });
    const { data } = (await fixture.ask('listChannels', { as: admin })).reply;
    expect(data.find(({ id }) => id === tried)?.health).toEqual(reply.health);
    const { state, failure } = reply.health;
    return { state, failure };
  };
  const test = async () => {
    const params = { channelId: tried };
    return (await fixture.ask('testChannel', { as: admin, params, body: {} })).reply;
  };
  const CUDA = { httpStatus: 502, message: 'CUDA out of memory' };
  const laterBy = (ms: number) => Date.now() + ms;

  beforeEach(async () => {
    upstream.reset();
    outcomes = NO_OUTCOMES;
    tried = (await makeChannel()).id;
  });
  afterAll(() => upstream.reset());

  it('is what its last requests came to, with the upstream’s words', async () => {
    expect(await healthOf()).toEqual({ state: 'unknown', failure: null });
    outcomes = { ...NO_OUTCOMES, lastSuccessAtMs: Date.now() };
    expect(await healthOf()).toEqual({ state: 'healthy', failure: null });
    const failedAtMs = [Date.UTC(2100, 0, 1), Date.UTC(2100, 0, 2)];
    outcomes = { lastSuccessAtMs: Date.now(), failedAtMs, lastFailure: CUDA };
    expect(await healthOf()).toEqual({
      state: 'failing',
      failure: { inRow: 2, at: '2100-01-02T00:00:00.000Z', ...CUDA },
    });
  });

  it('is no better for a test that passes while requests fail', async () => {
    outcomes = { lastSuccessAtMs: null, failedAtMs: [laterBy(-5_000)], lastFailure: CUDA };
    expect((await test()).ok).toBe(true);
    expect(await healthOf()).toMatchObject({ state: 'failing', failure: { inRow: 1, ...CUDA } });
  });

  it('is failing after a test that failed, until a test passes or a request succeeds', async () => {
    const body = JSON.stringify({ error: { message: 'no such host here' } });
    upstream.behave('upstream-model', { kind: 'status', status: 500, body });
    const { createdAt } = await test();
    const failure = { inRow: 1, at: createdAt, httpStatus: 500, message: 'no such host here' };
    outcomes = { ...NO_OUTCOMES, lastSuccessAtMs: laterBy(-60_000) };
    expect(await healthOf()).toEqual({ state: 'failing', failure });
    // Requests that failed before it are in the same row.
    outcomes = { ...NO_OUTCOMES, failedAtMs: [laterBy(-60_000)], lastFailure: CUDA };
    expect(await healthOf()).toEqual({ state: 'failing', failure: { ...failure, inRow: 2 } });
    outcomes = { ...NO_OUTCOMES, lastSuccessAtMs: laterBy(60_000) };
    expect(await healthOf()).toEqual({ state: 'healthy', failure: null });
    outcomes = NO_OUTCOMES;
    upstream.reset();
    await test();
    expect(await healthOf()).toEqual({ state: 'healthy', failure: null });
  });
});

describe('the upstream’s list of models', () => {
  it('is fetched and joined with ours', async () => {
    const body = { publicId: 'fake', contextTokensMax: 10, outputTokensMax: 10 };
    const model = await fixture.ask('createModel', { as: admin, body });
    const channel = await makeChannel();
    const params = { channelId: channel.id };
    const list = await fixture.ask('listUpstreamModels', { as: admin, params });
    expect(list.reply.data).toEqual([{ upstreamName: 'fake', modelId: model.reply.id }]);
  });
});
