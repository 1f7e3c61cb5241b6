import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeModel, type ProbeOptions } from '../../../../gateway/data-plane/channel-probe.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let catalog: Catalog;
let trap: Server;
let trapUrl: string;
let trapped = 0;
let made = 0;

/** Redirects to itself, hangs, or talks without end, as its path says. */
beforeAll(async () => {
  trap = createServer((request, response) => {
    if (request.url?.startsWith('/trapped') === true) {
      trapped += 1;
      response.end('{"choices":[{"message":{"content":"trapped"}}]}');
    } else if (request.url?.startsWith('/redirect') === true) {
      response.writeHead(307, { location: `${trapUrl}/trapped` }).end();
    } else if (request.url?.startsWith('/endless') === true) {
      response.writeHead(200);
      response.on('error', () => undefined);
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(65_536), more);
      };
      more();
    }
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapUrl = `http://127.0.0.1:${String((trap.address() as AddressInfo).port)}`;
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(async () => {
  await fixture.close();
  trap.closeAllConnections();
  trap.close();
});

const NOBODY = '00000000-0000-7000-8000-000000000000';

function make(body: object) {
  made += 1;
  return fixture.ask('createChannel', {
    as: admin,
    // Public, and asked by no test.
    body: { name: `channel ${String(made)}`, baseUrl: 'https://1.1.1.1/v1', ...body },
  });
}

describe('a channel is refused', () => {
  it.each([
    ['http://127.0.0.1:8080/v1'],
    ['http://localhost/v1'],
    ['http://api.localhost/v1'],
    ['http://10.0.0.1/v1'],
    ['http://172.16.0.1/v1'],
    ['http://192.168.1.1/v1'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://0.0.0.0/v1'],
    ['http://2130706433/v1'],
    ['http://0x7f.1/v1'],
    ['http://[::1]/v1'],
    ['http://[::ffff:127.0.0.1]/v1'],
    ['http://[::ffff:a9fe:a9fe]/v1'],
    ['http://[fe80::1]/v1'],
    ['http://[fd00::1]/v1'],
    ['http://[64:ff9b::7f00:1]/v1'],
    ['http://[::127.0.0.1]/v1'],
    ['http://[4000::1]/v1'],
    ['http://168.63.129.16/v1'],
  ])('that points at %s', async (baseUrl) => {
    const refused = await make({ baseUrl });
    expect(refused.problem).toMatchObject({ status: 400, code: 'address_refused' });
    expect(refused.problem.errors?.[0]?.field).toBe('baseUrl');
  });

  it.each([
    ['https://api.example.com/v1/chat/completions', 'chat/completions'],
    ['https://user:password@1.1.1.1/v1', 'its own field'],
    ['https://1.1.1.1/v1?key=1', 'write \\"https://1.1.1.1/v1\\"'],
    ['https://', 'baseUrl'],
    ['ftp://1.1.1.1/v1', 'baseUrl'],
    ['http://[nonsense/v1', 'not an address'],
  ])('with the address %s', async (baseUrl, words) => {
    const refused = await make({ baseUrl });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(words);
  });

  const GOOGLE = 'https://generativelanguage.googleapis.com';
  it.each([
    [undefined, 'https://1.1.1.1/v1/embeddings/', 'write "https://1.1.1.1/v1"'],
    ['openai', 'https://api.openai.com', 'write "https://api.openai.com/v1"'],
    ['openai', 'https://1.1.1.1/v1/messages', 'set that kind and write "https://1.1.1.1"'],
    ['openai', 'https://api.anthropic.com', 'set the kind "anthropic"'],
    ['openai', 'https://weir.openai.azure.com', 'set the kind "azure"'],
    ['anthropic', 'https://api.anthropic.com/v1/messages', 'write "https://api.anthropic.com"'],
    ['anthropic', 'https://api.openai.com/v1', 'set the kind "openai"'],
    ['anthropic', 'https://1.1.1.1/v1/chat/completions', 'for the kind "openai"'],
    ['gemini', `${GOOGLE}/v1beta/models/gemini-3.8-flash:generateContent`, `write "${GOOGLE}"`],
    ['gemini', `${GOOGLE}/v1beta/models/x:streamGenerateContent?key=1`, `write "${GOOGLE}"`],
    ['gemini', `${GOOGLE}/v1beta/openai`, 'set the kind "openai"'],
    ['openai', `${GOOGLE}/v1beta`, 'set the kind "gemini"'],
    [
      'azure',
      'https://weir.openai.azure.com/openai/deployments/luna/chat/completions?api-version=2024-10-21',
      'write "https://weir.openai.azure.com"',
    ],
    ['azure', 'https://weir.openai.azure.com/openai/v1/responses', 'openai.azure.com/openai/v1"'],
    ['azure', 'https://api.openai.com/v1', 'set the kind "openai"'],
  ])('with kind %s and the address %s, saying what to write', async (kind, baseUrl, words) => {
    const { problem } = await make(kind === undefined ? { baseUrl } : { kind, baseUrl });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_value' });
    expect(problem.errors?.[0]?.field).toBe('baseUrl');
    expect(problem.detail).toContain(words);
  });

  it('with protocols that its kind does not have, or to become one of such a kind', async () => {
    const protocols = ['openai-chat'];
    const refused = await make({ kind: 'anthropic', baseUrl: 'https://1.1.1.1', protocols });
    expect(refused.problem.errors?.[0]?.field).toBe('protocols');
    const { id } = (await make({ protocols })).reply;
    const change = (body: object) =>
      fixture.ask('updateChannel', {
        as: admin,
        anyVersion: true,
        params: { channelId: id },
        body,
      });
    expect((await change({ kind: 'gemini' })).problem.errors?.[0]?.field).toBe('protocols');
    expect((await change({ kind: 'gemini', protocols: null })).reply.kind).toBe('gemini');
    expect((await change({ kind: 'demo' })).status).toBe(400);
  });

  it.each([
    [{ weight: 0 }],
    [{ priority: 1.5 }],
    [{ connectTimeoutMs: 1 }],
    [{ credentials: ['with space'] }],
    [{ models: [{ modelId: NOBODY, upstreamName: 'x' }] }],
    [{ groupIds: [NOBODY] }],
    [{ kind: 'demo' }],
    [{ fieldPolicy: 'most' }],
    [{ storesResponses: 'yes' }],
    [{ kind: 'anthropic', baseUrl: 'https://api.anthropic.com', storesResponses: true }],
    [{ proxy: 'proxy.test:3128' }],
    [{ proxy: 'http://user:secret@proxy.test' }],
    [{ omittedFields: ['messages'] }],
    [{ locations: ['US-East5'] }],
    [{ locations: ['us-east5/../..'] }],
    [{ locations: ['claude=opus=us-east5'] }],
    [{ locations: ['=us-east5'] }],
    [{ omittedFields: ['max_tokens'] }],
    [{ omittedFields: ['with space'] }],
  ])('with %j', async (body) => {
    expect((await make(body)).status).toBe(400);
  });

  it('with a name that is taken, or a model twice', async () => {
    await make({ name: 'taken' });
    expect((await make({ name: 'taken' })).problem.code).toBe('already_exists');
    const model = { modelId: catalog.modelId, upstreamName: 'x' };
    expect((await make({ models: [model, model] })).problem.code).toBe('invalid_value');
  });

  it('to be moved to a private address, or to lose the leave for one', async () => {
    const { id } = (await make({ baseUrl: trapUrl, allowPrivate: true })).reply;
    const change = (body: object) =>
      fixture.ask('updateChannel', {
        as: admin,
        anyVersion: true,
        params: { channelId: id },
        body,
      });
    expect((await change({ allowPrivate: false })).problem.code).toBe('address_refused');
    expect((await change({ priority: 5 })).status).toBe(200);
    const open = (await make({})).reply;
    const moved = await fixture.ask('updateChannel', {
      as: admin,
      anyVersion: true,
      params: { channelId: open.id },
      body: { baseUrl: 'http://10.1.2.3/v1' },
    });
    expect(moved.problem.code).toBe('address_refused');
  });

  it.each([
    ['another host', 'https://1.0.0.1/v1'],
    ['another port', 'https://1.1.1.1:8443/v1'],
    ['plain http', 'http://1.1.1.1/v1'],
  ])('a move of its credentials to %s, until they were taken away', async (_where, baseUrl) => {
    const secret = 'sk-upstream-credential';
    const { id, credentials } = (await make({ credentials: [secret] })).reply;
    const params = { channelId: id };
    const change = (body: object) =>
      fixture.ask('updateChannel', { as: admin, anyVersion: true, params, body });
    // Also a disabled one: enabling it would send it there.
    const credentialId = credentials[0]?.id ?? '';
    const off = { status: 'disabled' };
    const one = { as: admin, params: { ...params, credentialId } };
    await fixture.ask('updateCredential', { ...one, body: off });
    const { problem } = await change({ baseUrl, weight: 7 });
    expect(problem).toMatchObject({ status: 409, code: 'credentials_bound' });
    expect(problem.detail).toContain('https://1.1.1.1');
    const kept = (await fixture.ask('getChannel', { as: admin, params })).reply;
    expect([kept.baseUrl, kept.weight]).toEqual(['https://1.1.1.1/v1', 1]);
    expect((await change({ baseUrl: 'https://1.1.1.1/other/v1' })).status).toBe(200);
    await fixture.ask('deleteCredential', one);
    expect((await change({ baseUrl })).reply.baseUrl).toBe(baseUrl);
    await fixture.ask('createCredential', { as: admin, params, body: { secret } });
  });

  it('a change over one that was made meanwhile', async () => {
    const { id } = (await make({})).reply;
    const params = { channelId: id };
    const seen = await fixture.ask('getChannel', { as: admin, params });
    const headers = { 'if-match': String(seen.headers['etag']) };
    await fixture.ask('updateChannel', { as: admin, params, headers, body: { weight: 2 } });
    const late = await fixture.ask('updateChannel', {
      as: admin,
      params,
      headers,
      body: { weight: 3 },
    });
    expect(late.problem.code).toBe('precondition_failed');
  });
});

function probeOf({
  baseUrl,
  ...options
}: {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly allowPrivate: boolean;
}): ProbeOptions {
  const channel = {
    id: NOBODY,
    name: 'trap',
    kind: 'openai',
    baseUrl,
    credentials: [],
    priority: 0,
    weight: 1,
    concurrencyMax: null,
    allowPrivate: options.allowPrivate,
    outputLimitField: null,
    omittedFields: [],
    locations: [],
    fieldPolicy: 'known',
    storesResponses: false,
    proxy: null,
    protocols: null,
    groupIds: [],
    models: [],
    timeouts: { connectMs: HANG_MS, firstByteMs: HANG_MS, idleMs: HANG_MS, totalMs: HANG_MS },
  } as const;
  return { channel, credential: null, ...options };
}

describe('a test of a channel', () => {
  it('follows no redirect, so that the credential stays with whom it is for', async () => {
    const { id } = (
      await make({
        baseUrl: `${trapUrl}/redirect`,
        allowPrivate: true,
        models: [{ modelId: catalog.modelId, upstreamName: 'x' }],
      })
    ).reply;
    const params = { channelId: id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.reply).toMatchObject({ ok: false, httpStatus: 307 });
    expect(trapped).toBe(0);
  });

  it('gives up on an upstream that is silent or talks without end', async () => {
    const ask = (path: string, timeoutMs: number) =>
      probeModel(probeOf({ baseUrl: `${trapUrl}${path}`, timeoutMs, allowPrivate: true }), 'x');
    expect(await ask('/silent', 300)).toMatchObject({
      ok: false,
      text: 'No answer within 300 ms.',
    });
    const endless = await ask('/endless', HANG_MS);
    expect(endless).toMatchObject({ ok: false, status: null });
    expect(endless.text).toContain('larger than');
  });

  it('judges the address that is connected to, not only the one that was looked up before', async () => {
    // The name resolves to loopback: the socket's own lookup refuses it, whatever an earlier answer
    // was.
    const baseUrl = `http://localhost.:${new URL(trapUrl).port}/trapped`;
    const options = probeOf({ baseUrl, timeoutMs: HANG_MS, allowPrivate: false });
    expect(await probeModel(options, 'x')).toMatchObject({ ok: false, status: null });
    expect(trapped).toBe(0);
  });

  it('of a model that the channel does not serve is refused', async () => {
    const { id } = (await make({})).reply;
    const params = { channelId: id };
    const tested = await fixture.ask('testChannel', { as: admin, params, body: {} });
    expect(tested.problem.code).toBe('invalid_value');
    const body = { modelId: NOBODY };
    expect((await fixture.ask('testChannel', { as: admin, params, body })).status).toBe(400);
  });

  it('tells when the list of models is none', async () => {
    const { id } = (await make({ baseUrl: `${trapUrl}/trapped`, allowPrivate: true })).reply;
    const list = await fixture.ask('listUpstreamModels', { as: admin, params: { channelId: id } });
    expect(list.problem).toMatchObject({ status: 502, code: 'upstream_error' });
  });
});
