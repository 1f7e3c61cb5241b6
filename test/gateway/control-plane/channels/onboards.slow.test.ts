import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const KEY = 'upstream-credential-of-32-letters';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let upstream: FakeUpstream;
let made = 0;

/** Answers by path and headers: a status and a body. */
type Answers = (request: IncomingMessage) => readonly [number, unknown];

const servers: Server[] = [];

async function serve(answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answers(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

beforeAll(async () => {
  upstream = await startFakeUpstream();
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(async () => {
  await fixture.close();
  await upstream.close();
  for (const server of servers) server.close();
});

const probe = (body: object) =>
  fixture.ask('probeUpstream', {
    as: admin,
    body: { credential: KEY, allowPrivate: true, ...body },
  });

const OPENAI: Answers = ({ url, headers, method }) => {
  if (headers.authorization !== `Bearer ${KEY}`) return [401, { error: { message: 'no key' } }];
  if (url === '/v1/models') return [200, { object: 'list', data: [{ id: 'b' }, { id: 'a' }] }];
  if (method === 'POST' && url === '/v1/responses') return [400, { error: { message: 'model?' } }];
  return [404, {}];
};
const ANTHROPIC: Answers = ({ url, headers }) => {
  if (headers['x-api-key'] !== KEY || headers['anthropic-version'] === undefined) {
    return [401, { type: 'error', error: { type: 'authentication_error', message: 'no key' } }];
  }
  if (url !== '/v1/models?limit=1000') return [404, {}];
  return [200, { data: [{ type: 'model', id: 'claude', display_name: 'Claude' }] }];
};
const GEMINI: Answers = ({ url, headers }) => {
  if (url?.startsWith('/v1beta/models') !== true) return [404, {}];
  return headers['x-goog-api-key'] === KEY
    ? [200, { models: [{ name: 'models/gemini' }] }]
    : [401, {}];
};
const AZURE: Answers = ({ url, headers }) =>
  url === '/openai/v1/models' && headers['api-key'] === KEY
    ? [200, { data: [{ id: 'deployment' }] }]
    : [404, {}];
const NO_LIST: Answers = ({ url, method }) =>
  method === 'POST' && url === '/v1/chat/completions' ? [422, {}] : [404, {}];
/** A server that complains about the body on any path, also on those that it does not have. */
const COMPLAINS: Answers = (request) =>
  request.method === 'POST' ? [400, { error: { message: 'no model' } }] : OPENAI(request);

async function countsOf(query: string): Promise<unknown> {
  const { rows } = await fixture.pool.query<Record<string, string>>({ text: query });
  return rows;
}

describe('an upstream is found out by its address and key', () => {
  const RESPONSES: readonly string[] = [
    ...['openai-chat', 'openai-responses', 'openai-completions', 'openai-embeddings'],
    ...['openai-images', 'openai-moderations', 'openai-realtime'],
    ...['openai-speech', 'openai-transcriptions', 'rerank'],
  ];
  it.each([
    { path: '', answers: OPENAI, kind: 'openai', base: '/v1', protocols: RESPONSES },
    { path: '/v1/', answers: OPENAI, kind: 'openai', base: '/v1', protocols: RESPONSES },
    {
      path: '/v1/chat/completions',
      answers: OPENAI,
      kind: 'openai',
      base: '/v1',
      protocols: RESPONSES,
    },
    { path: '', answers: ANTHROPIC, kind: 'anthropic', base: '', models: ['claude'] },
    { path: '/v1/messages', answers: ANTHROPIC, kind: 'anthropic', base: '', models: ['claude'] },
    { path: '', answers: GEMINI, kind: 'gemini', base: '', models: ['gemini'] },
    { path: '/v1beta', answers: GEMINI, kind: 'gemini', base: '/v1beta', models: ['gemini'] },
    { path: '', answers: AZURE, kind: 'azure', base: '', models: ['deployment'] },
    { path: '', answers: NO_LIST, kind: 'openai', base: '/v1', models: [] },
    { path: '', answers: COMPLAINS, kind: 'openai', base: '/v1' },
  ])('with "$path" in its address it is $kind', async (found) => {
    const { path, answers, kind, base, protocols = null, models = ['a', 'b'] } = found;
    const host = await serve(answers);
    const { reply } = await probe({ address: `${host}${path}` });
    expect(reply).toMatchObject({ kind, baseUrl: `http://${host}${base}`, protocols });
    expect(reply.models.map(({ upstreamName }) => upstreamName)).toEqual(models);
    expect(reply.listsModels).toBe(models.length > 0);
  });

  it.each([
    [{ data: [{ type: 'model', id: 'claude', display_name: 'Claude' }] }, 'anthropic'],
    [{ object: 'list', data: [{ object: 'model', type: 'model', id: 'm' }] }, 'openai'],
  ])('is of the kind whose list %j is, with either header', async (list, kind) => {
    const host = await serve(({ url }) => (url === '/v1/models' ? [200, list] : [404, {}]));
    expect((await probe({ address: host })).reply.kind).toBe(kind);
  });

  it('joins its models with the catalog, and asks no model for anything', async () => {
    const body = { publicId: 'fake', contextTokensMax: 10, outputTokensMax: 10 };
    const { id } = (await fixture.ask('createModel', { as: admin, body })).reply;
    upstream.reset();
    const { reply } = await probe({ address: upstream.url });
    expect(reply.models).toEqual([{ upstreamName: 'fake', modelId: id }]);
    expect(upstream.requests.filter(({ model }) => model !== '')).toEqual([]);
  });

  it.each([
    ['not an address', 'invalid_value', 'address', 'is no address'],
    ['ftp://files.example.com', 'invalid_value', 'address', 'is no address'],
    ['https://user:pass@1.1.1.1/v1', 'invalid_value', 'address', 'credential'],
    ['http://127.0.0.1:9', 'upstream_error', 'address', 'ECONNREFUSED'],
  ])('%s is refused as %s', async (address, code, field, words) => {
    const { problem } = await probe({ address });
    expect(problem.code).toBe(code);
    expect(problem.errors?.[0]?.field).toBe(field);
    expect(JSON.stringify(problem)).toContain(words);
  });

  it('says that the key is refused, and never repeats it', async () => {
    const host = await serve(() => [401, { error: { message: `bad key ${KEY}` } }]);
    const { problem, text } = await probe({ address: host });
    expect(problem.errors?.[0]?.field).toBe('credential');
    expect(problem.detail).toContain('refuses the key');
    expect(text).not.toContain(KEY);
    const without = await fixture.ask('probeUpstream', {
      as: admin,
      body: { address: host, allowPrivate: true },
    });
    expect(without.problem.detail).toContain('asks for a key');
  });

  it('says that a web page is no API, and that a private address is not allowed', async () => {
    const host = await serve(() => [200, 'Welcome']);
    expect((await probe({ address: host })).problem.errors?.[0]?.field).toBe('address');
    const { problem } = await probe({ address: upstream.url, allowPrivate: false });
    expect([problem.code, problem.errors?.[0]?.field]).toEqual(['address_refused', 'address']);
  });
});

describe('a model of an upstream is tested before there is a channel', () => {
  const test = (body: object) =>
    fixture.ask('testUpstream', {
      as: admin,
      body: {
        kind: 'openai',
        baseUrl: upstream.url,
        upstreamName: 'm',
        credential: KEY,
        allowPrivate: true,
        ...body,
      },
    });
  const tests = () => countsOf('select count(*) from channel_tests');

  it('whole and streamed, and leaves nothing but where the key was sent', async () => {
    upstream.reset();
    const before = await tests();
    const { reply } = await test({});
    expect(reply).toMatchObject({
      ok: true,
      httpStatus: 200,
      error: null,
      streamed: { ok: true },
    });
    expect(reply.reply).not.toBe('');
    expect(upstream.requests.map(({ body }) => body?.['stream'] ?? false)).toEqual([false, true]);
    expect(await tests()).toEqual(before);
    const query = { subjectKind: 'upstream', subjectId: upstream.url };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data[0]).toMatchObject({ action: 'testUpstream', after: { ok: true } });
    expect(log.text).not.toContain(KEY);
  });

  it('tells the upstream’s words without the key', async () => {
    const body = JSON.stringify({ error: { message: `no model m for ${KEY}` } });
    upstream.behave('m', { kind: 'status', status: 404, body });
    const { reply, text } = await test({});
    expect(reply).toMatchObject({ ok: false, httpStatus: 404, streamed: null });
    expect(reply.error).toContain('no model m for […]');
    expect(text).not.toContain(KEY);
    upstream.reset();
  });

  it('asks a model that embeds for an embedding', async () => {
    const paths: string[] = [];
    const host = await serve(({ url = '' }) => {
      paths.push(url);
      return [200, { data: [{ embedding: [1] }] }];
    });
    const { reply } = await test({
      baseUrl: `http://${host}/v1`,
      upstreamName: 'text-embedding-3',
    });
    expect([reply.ok, reply.streamed, paths]).toEqual([true, null, ['/v1/embeddings']]);
  });

  it('asks one of Gemini’s for an embedding, too', async () => {
    const paths: string[] = [];
    const host = await serve(({ url = '' }) => {
      paths.push(url);
      return [200, { embeddings: [{ values: [1] }] }];
    });
    const { reply } = await test({
      kind: 'gemini',
      baseUrl: `http://${host}`,
      upstreamName: 'gemini-embedding-001',
    });
    const path = '/v1beta/models/gemini-embedding-001:batchEmbedContents';
    expect([reply.ok, reply.streamed, paths]).toEqual([true, null, [path]]);
  });

  it('is refused where a channel would be', async () => {
    const refused = await test({ kind: 'anthropic', protocols: ['openai-chat'] });
    expect(refused.problem.errors?.[0]?.field).toBe('protocols');
    expect((await test({ allowPrivate: false })).problem.code).toBe('address_refused');
  });
});

describe('one save', () => {
  const PRICES = { inputUsd: '1', outputUsd: '2' };
  const LIMITS = { contextTokensMax: 1_000, outputTokensMax: 100 };
  const newModel = (publicId: string, more: object = {}) => ({
    publicId,
    upstreamName: `up/${publicId}`,
    ...LIMITS,
    prices: PRICES,
    ...more,
  });
  const save = (body: object) => {
    made += 1;
    return fixture.ask('createChannel', {
      as: admin,
      body: { name: `brings ${String(made)}`, baseUrl: 'https://1.1.1.1/v1', ...body },
    });
  };
  const modelNamed = async (search: string) =>
    (await fixture.ask('listModels', { as: admin, query: { search } })).reply.data[0];
  /** Reads every table that a save writes to. */
  const everything = () =>
    countsOf(`
      select (select count(*) from channels), (select count(*) from models), (select count(*) from prices),
        (select count(*) from group_models), (select count(*) from channel_models),
        (select count(*) from audit_entries)`);

  it('makes the channel and its models with prices, and sells all of them in the groups', async () => {
    const { reply } = await save({
      models: [{ modelId: catalog.modelId, upstreamName: 'known' }],
      newModels: [
        newModel('brought-1'),
        newModel('brought-2', { prices: { ...PRICES, extra: { webSearch: '0.01' } } }),
      ],
      sellInGroupIds: [catalog.groupId],
    });
    expect(reply.models.map(({ upstreamName }) => upstreamName).toSorted()).toEqual([
      'known',
      'up/brought-1',
      'up/brought-2',
    ]);
    const brought = await modelNamed('brought-2');
    expect(brought).toMatchObject({
      groupIds: [catalog.groupId],
      channelIds: [reply.id],
      price: { ...PRICES, extra: { webSearch: '0.01' } },
    });
    const query = { subjectKind: 'model', subjectId: brought?.id ?? '' };
    const log = await fixture.ask('listAuditEntries', { as: admin, query });
    expect(log.reply.data.at(-1)).toMatchObject({ action: 'createChannel', before: null });
  });

  it('adds to a channel that is there, and takes no group away', async () => {
    const { reply: channel } = await save({});
    const other = await fixture.ask('createGroup', {
      as: admin,
      body: { name: `other ${String(made)}` },
    });
    const { reply } = await fixture.ask('updateChannel', {
      as: admin,
      anyVersion: true,
      params: { channelId: channel.id },
      body: {
        models: [{ modelId: catalog.modelId, upstreamName: 'known' }],
        newModels: [newModel('added-1')],
        sellInGroupIds: [other.reply.id],
      },
    });
    expect(reply.models).toHaveLength(2);
    const known = await fixture.ask('getModel', {
      as: admin,
      params: { modelId: catalog.modelId },
    });
    expect(known.reply.groupIds).toEqual(expect.arrayContaining([catalog.groupId, other.reply.id]));
  });

  it('prices a model that had none, and leaves what was set of it', async () => {
    const body = {
      publicId: 'unpriced-1',
      displayName: 'Mine',
      contextTokensMax: 7,
      outputTokensMax: 7,
    };
    await fixture.ask('createModel', { as: admin, body });
    await save({ newModels: [newModel('unpriced-1')] });
    expect(await modelNamed('unpriced-1')).toMatchObject({
      displayName: 'Mine',
      contextTokensMax: 7,
      price: PRICES,
    });
  });

  it.each([
    [[newModel('x-1'), newModel('x-1')], 'newModels.1.publicId'],
    [[newModel('x-1'), newModel('brought-1')], 'newModels.1.publicId'],
    [
      [
        newModel('x-1'),
        newModel('x-2', {
          prices: { ...PRICES, longContext: { aboveTokens: 5, inputUsd: '0.5', outputUsd: '2' } },
        }),
      ],
      'newModels.1.prices.longContext.inputUsd',
    ],
    [
      [newModel('x-1', { prices: { ...PRICES, inputUsd: '99999999' } })],
      'newModels.0.prices.inputUsd',
    ],
    [[newModel('x-1', { prices: { ...PRICES, inputUsd: '1,5' } })], 'newModels.0.prices.inputUsd'],
  ])('keeps nothing when one of its models is refused: %j', async (newModels, field) => {
    const before = await everything();
    const { problem } = await save({ newModels, sellInGroupIds: [catalog.groupId] });
    expect(problem.errors?.[0]?.field.replace(/^\//, '').replaceAll('/', '.')).toBe(field);
    expect(await everything()).toEqual(before);
  });

  it('keeps nothing when a group or the name is refused', async () => {
    const before = await everything();
    const nobody = '00000000-0000-7000-8000-000000000000';
    const refused = await save({ newModels: [newModel('x-1')], sellInGroupIds: [nobody] });
    expect(refused.problem.errors?.[0]?.field).toBe('sellInGroupIds');
    const again = await save({ name: 'brings 1', newModels: [newModel('x-1')] });
    expect(again.problem.errors?.[0]?.field).toBe('name');
    expect(await everything()).toEqual(before);
  });

  it('takes as many models as an upstream may have', async () => {
    const newModels = Array.from({ length: 400 }, (_, index) => newModel(`many-${String(index)}`));
    const { reply } = await save({ newModels, sellInGroupIds: [catalog.groupId] });
    expect(reply.models).toHaveLength(400);
  });
});

describe('the list prices that come with Weir', () => {
  it('are such as the API takes for a price', async () => {
    const { source, data } = (await fixture.ask('listListPrices', { as: admin })).reply;
    expect(source).toMatchObject({ name: 'LiteLLM', licence: 'MIT' });
    const names = new Set(data.map(({ publicId }) => publicId));
    expect(names.size).toBe(data.length);
    // Of the vendors' current models, besides those of a first start.
    for (const name of ['gpt-5.5', 'claude-opus-4-8', 'gemini-3.6-flash', 'grok-4.7']) {
      expect(names).toContain(name);
    }
    const long = data.find(({ prices }) => prices.longContext !== null);
    expect(long?.prices.longContext?.aboveTokens).toBe(200_000);
    const models = data.map(({ publicId, prices, contextTokensMax, outputTokensMax }) => ({
      ...{ publicId: `list/${publicId}`, prices, contextTokensMax, outputTokensMax },
    }));
    const body = { models, dryRun: true };
    const { reply } = await fixture.ask('importModels', { as: admin, body });
    expect(reply.created).toHaveLength(data.length);
  });
});
