import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RealtimeVendor } from '../../../support/upstreams/realtime-vendor.ts';
import {
  openRealtimeService,
  TURN_COST,
  type RealtimeCustomer,
  type RealtimeService,
} from './support/realtime-service.ts';

let service: RealtimeService;
let first: RealtimeVendor;
let second: RealtimeVendor;
let customer: RealtimeCustomer;

beforeAll(async () => {
  service = await openRealtimeService({ REALTIME_EVENT_BYTES_MAX: String(12 * 1024 * 1024) });
  ({ first, second } = service);
});

afterAll(() => service.close());

beforeEach(async () => {
  first.reset();
  second.reset();
  customer = await service.newCustomer();
});

interface Refused {
  readonly status: number | undefined;
  readonly error: { readonly code: string; readonly message: string; readonly type: string };
}

/** Asks for a WebSocket that is refused, and returns the reply over HTTP. */
async function refusal(
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<Refused> {
  const asked = request(`${service.gateway.url}${path}`, {
    headers: {
      ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers },
    },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [
    AsyncIterable<Buffer> & { statusCode?: number },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { error } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<Refused, 'error'>;
  return { status: response.statusCode, error };
}

const withKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

describe('a session is opened', () => {
  it('by a browser, whose key is a subprotocol', async () => {
    const protocols = [
      'realtime',
      `openai-insecure-api-key.${customer.key}`,
      'openai-beta.realtime-v1',
    ];
    const session = await customer.open({ key: null, protocols });
    expect(session.protocol).toBe('realtime');
    session.send({ type: 'response.create' });
    await session.next('response.done');
    await session.close();
    // OpenAI's models refuse a session of the beta.
    expect(first.heads[0]?.headers).not.toHaveProperty('openai-beta');
    expect(JSON.stringify(first.heads)).not.toContain(customer.key);
    expect(await customer.spent()).toBe(TURN_COST);
  });

  it('at another channel where the first one refuses', async () => {
    first.refusesWith = 500;
    const session = await customer.open();
    expect((await session.next('session.created')).session?.model).toBe('voice');
    expect(second.heads).toHaveLength(1);
    await session.close();
  });

  it('at another channel where the first one begins with an error', async () => {
    first.firstError = 'The server is overloaded.';
    const session = await customer.open();
    await session.next('session.created');
    expect(second.heads).toHaveLength(1);
    await session.close();
  });

  it('and an upstream that cannot be reached is a reply over HTTP', async () => {
    first.refusesWith = 500;
    second.refusesWith = 500;
    const { status, error } = await refusal('/v1/realtime?model=voice', withKey(customer.key));
    expect([status, error.code]).toEqual([502, 'upstream_error']);
    expect(await customer.spent()).toBe(0);
  });
});

describe('a session is refused over HTTP', () => {
  it.each([
    ['missing_api_key', {}],
    ['invalid_api_key', withKey('sk-wrong')],
  ])('with %s', async (code, headers) => {
    const { status, error } = await refusal('/v1/realtime?model=voice', headers);
    expect([status, error.code]).toEqual([401, code]);
    expect(first.heads).toEqual([]);
  });

  it.each([
    ['without a model', '/v1/realtime', 400, 'missing_required_parameter'],
    ['for a model that is not sold', '/v1/realtime?model=nothing', 404, 'model_not_found'],
    [
      'that only transcribes',
      '/v1/realtime?model=voice&intent=transcription',
      400,
      'invalid_value',
    ],
    ['that joins a call', '/v1/realtime?model=voice&call_id=rtc_1', 400, 'invalid_value'],
  ])('%s', async (_, path, status, code) => {
    const refused = await refusal(path, withKey(customer.key));
    expect([refused.status, refused.error.code]).toEqual([status, code]);
    expect(first.heads).toEqual([]);
  });

  it('without any balance', async () => {
    const poor = await service.newCustomer(1);
    const refused = await refusal('/v1/realtime?model=voice', withKey(poor.key));
    expect([refused.status, refused.error.code]).toEqual([402, 'insufficient_balance']);
    expect(first.heads).toEqual([]);
  });

  it('for a model that its key may not use', async () => {
    await service.pool.query(`update keys set model_allowlist = '{hear}' where id = $1`, [
      customer.keyId,
    ]);
    const refused = await refusal('/v1/realtime?model=voice', withKey(customer.key));
    expect([refused.status, refused.error.code]).toEqual([403, 'model_not_allowed']);
  });

  it.each(['client_secrets', 'sessions', 'calls', 'transcription_sessions', 'translations'])(
    'POST /v1/realtime/%s, by name and with the reason',
    async (name) => {
      const reply = await fetch(`${service.gateway.url}/v1/realtime/${name}`, {
        method: 'POST',
        headers: { ...withKey(customer.key), 'content-type': 'application/json' },
        body: '{}',
      });
      const { error } = (await reply.json()) as Refused;
      expect([reply.status, error.code]).toEqual([404, 'unknown_url']);
      expect(error.message).toContain('Open a WebSocket at /v1/realtime');
    },
  );

  it('as a POST', async () => {
    const reply = await fetch(`${service.gateway.url}/v1/realtime`, { method: 'POST' });
    const { error } = (await reply.json()) as Refused;
    expect([reply.status, error.message]).toEqual([
      405,
      'Realtime sessions are opened as a WebSocket, with GET.',
    ]);
  });

  it('as plain HTTP', async () => {
    const reply = await fetch(`${service.gateway.url}/v1/realtime?model=voice`, {
      headers: withKey(customer.key),
    });
    expect(reply.status).toBe(426);
  });
});

describe('an event of the client is answered with an error, and not passed on', () => {
  it.each([
    ['no JSON', '{"type":', 'invalid_json', null],
    ['no object', '[]', 'invalid_json', null],
    [
      'two fields of a name',
      '{"type":"response.create","type":"session.update"}',
      'invalid_json',
      null,
    ],
    ['no type', '{"event_id":"e1"}', 'missing_required_parameter', 'e1'],
    ['another type', '{"type":"session.delete","event_id":"e2"}', 'invalid_value', 'e2'],
    [
      'another model',
      '{"type":"session.update","session":{"type":"realtime","model":"elsewhere"}}',
      'invalid_value',
      null,
    ],
    [
      'a stored prompt',
      '{"type":"response.create","response":{"prompt":{"id":"pmpt_1"}}}',
      'invalid_value',
      null,
    ],
    [
      'a model of a reply',
      '{"type":"response.create","response":{"model":"elsewhere"}}',
      'invalid_value',
      null,
    ],
    [
      'sound that is no text',
      '{"type":"input_audio_buffer.append","audio":7}',
      'invalid_type',
      null,
    ],
    [
      'deep nesting',
      `{"type":"conversation.item.create","item":${'['.repeat(200)}${']'.repeat(200)}}`,
      'invalid_json',
      null,
    ],
  ])('%s', async (_, frame, code, eventId) => {
    const session = await customer.open();
    session.sendRaw(frame);
    const { error } = await session.next('error');
    expect([error?.code, error?.event_id]).toEqual([code, eventId]);
    session.send({ type: 'response.create' });
    await session.next('response.done');
    expect(first.events.map(({ type }) => type)).toEqual(['response.create']);
    await session.close();
  });

  it('and one that is too long, while a long one passes', async () => {
    const session = await customer.open();
    const append = (bytes: number): void =>
      session.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(bytes) });
    append(10 * 1024 * 1024);
    await first.until(() => first.events.length === 1);
    append(13 * 1024 * 1024);
    expect((await session.next('error')).error?.code).toBe('request_too_large');
    expect(first.events).toHaveLength(1);
    await session.close();
  });
});

it('an event of 10 MB passes to the client; a longer one than the limit ends the session', async () => {
  const session = await customer.open();
  const type = 'conversation.item.retrieved';
  first.send({ type, item: { audio: 'A'.repeat(10 * 1024 * 1024) } });
  const { item } = await session.next(type);
  expect((item as { audio: string }).audio).toHaveLength(10 * 1024 * 1024);
  first.send({ type, item: { audio: 'A'.repeat(13 * 1024 * 1024) } });
  expect(await session.untilClosed()).toEqual({ code: 1009, reason: 'upstream_error' });
  expect(await customer.spent()).toBe(0);
});
