import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CapturedContent } from '../../../../gateway/content-log/captured-content.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, seedKey, type Seeded } from '../../../support/seed.ts';
import { keepContentOf } from '../../content-log/support/content-fixture.ts';
import { ResponsesSocket } from '../web-socket/support/responses-socket.ts';

const BYTES_MAX = 8_192;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeUpstream;
let gateway: TestGateway;
let seeded: Seeded;
/** What the thread has handed to the main thread. */
const contents: CapturedContent[] = [];

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = await startFakeUpstream();
  seeded = await seed(pool, { upstreams: [upstream.url], models: [{ publicId: 'model' }] });
  await keepContentOf(pool, seeded);
  const env = { CONTENT_LOG_BYTES_MAX: String(BYTES_MAX) };
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: null,
    env,
    onContent: (content) => contents.push(content),
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  contents.length = 0;
  upstream.reset();
});

const MESSAGES = [{ role: 'user', content: 'Hello' }];

async function post(
  path: string,
  body: object | string,
  { key = seeded.key, signal = null }: { key?: string; signal?: AbortSignal | null } = {},
): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

interface Kept {
  readonly requestId: string;
  readonly request: string;
  readonly reply: string;
}

/** The content that comes next. */
async function kept(): Promise<Kept & CapturedContent> {
  await until('content', () => contents.length > 0);
  const content = contents.shift();
  if (content === undefined) throw new Error('no content');
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
  return {
    ...content,
    request: text(content.bodies?.request),
    reply: text(content.bodies?.reply),
  };
}

const BODIES: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'model', messages: MESSAGES }],
  ['/v1/responses', { model: 'model', input: 'Hello' }],
  ['/v1/messages', { model: 'model', max_tokens: 100, messages: MESSAGES }],
];

describe('of a key with a content log', () => {
  for (const stream of [false, true]) {
    it.each(BODIES)(`%s is kept as it passed, stream: ${String(stream)}`, async (path, body) => {
      const sent = JSON.stringify({ ...body, stream });
      const reply = await post(path, sent);
      const received = await reply.text();
      expect(reply.status).toBe(200);
      const content = await kept();
      expect(content.request).toBe(sent);
      expect(content.reply).toBe(received);
      expect(content).toMatchObject({
        requestId: reply.headers.get('x-request-id'),
        accountId: seeded.accountId,
        keyId: seeded.keyId,
        requestBytes: sent.length,
        replyBytes: Buffer.byteLength(received),
      });
    });
  }

  it('Gemini is kept as it passed, whole and streamed', async () => {
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
    for (const method of ['generateContent', 'streamGenerateContent?alt=sse']) {
      const received = await (await post(`/v1beta/models/model:${method}`, body)).text();
      const content = await kept();
      expect(content.request).toBe(body);
      expect(content.reply).toBe(received);
    }
  });

  it('each turn of a WebSocket is kept', async () => {
    const socket = await ResponsesSocket.open(gateway.url, seeded.key);
    for (const input of ['first turn', 'second turn']) {
      socket.send({ model: 'model', input });
      const events = await socket.reply();
      expect(events.at(-1)?.type).toBe('response.completed');
      const content = await kept();
      expect(content.request).toContain(input);
      expect(content.reply).toContain('response.completed');
    }
    await socket.close();
  });

  it('a refusal is kept with the body that it refused', async () => {
    const reply = await post('/v1/chat/completions', { model: 'unknown', messages: MESSAGES });
    const received = await reply.text();
    expect(reply.status).toBe(404);
    const content = await kept();
    expect(content.reply).toBe(received);
    expect(content.request).toContain('"unknown"');
  });

  it('an error of every upstream is kept as the client got it', async () => {
    upstream.behave('*', { kind: 'status', status: 500, body: { error: { message: 'one' } } });
    const reply = await post('/v1/chat/completions', { model: 'model', messages: MESSAGES });
    const received = await reply.text();
    expect(reply.status).toBe(502);
    expect((await kept()).reply).toBe(received);
  });

  it('a stream that the client leaves is kept as far as it was sent', async () => {
    const pieces = ['One', ' two', ' three'];
    upstream.behave('*', { kind: 'reply', pieces, end: 'hang', cutAfterEvents: 4 });
    const leaving = new AbortController();
    const reply = await post(
      '/v1/chat/completions',
      { model: 'model', messages: MESSAGES, stream: true },
      { signal: leaving.signal },
    );
    let received = '';
    const decoder = new TextDecoder();
    for await (const chunk of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      received += decoder.decode(chunk, { stream: true });
      if (received.includes(' three')) break;
    }
    leaving.abort();
    expect((await kept()).reply).toBe(received);
  });

  it('long bodies are cut, and their sizes are kept', async () => {
    const text = 'long '.repeat(4_000);
    const body = { model: 'model', messages: [{ role: 'user', content: text }] };
    const sent = JSON.stringify(body);
    await (await post('/v1/chat/completions', sent)).text();
    const content = await kept();
    expect(content.request).toBe(sent.slice(0, BYTES_MAX));
    expect(content.requestBytes).toBe(sent.length);
  });

  it('no header is kept, and the key of the client is in none of it', async () => {
    await (await post('/v1/chat/completions', { model: 'model', messages: MESSAGES })).text();
    const { request, reply } = await kept();
    expect(request + reply).not.toContain(seeded.key);
    expect((request + reply).toLowerCase()).not.toContain('authorization');
  });
});

describe('nothing is kept', () => {
  it('of a key without a content log, of the same account', async () => {
    const other = await seedKey(pool, seeded.accountId, seeded.groupId);
    const body = { model: 'model', messages: MESSAGES };
    await (await post('/v1/chat/completions', body, { key: other.key })).text();
    // The content of a later request is the first that comes.
    const later = await post('/v1/chat/completions', body);
    await later.text();
    expect((await kept()).requestId).toBe(later.headers.get('x-request-id'));
    expect(contents).toEqual([]);
  });

  it.each([
    ['its log is switched off', 'update keys set content_log = $2 where id = $1'],
    [
      'its owner may not log in any more',
      `update users set disabled_at = case when $2 then null else now() end
       where id in (select user_id from members m join keys k on k.content_log_member_id = m.id where k.id = $1)`,
    ],
  ])('once %s', async (_when, sql) => {
    // A key of the account goes on working without its creator.
    await pool.query('update keys set member_id = null where id = $1', [seeded.keyId]);
    const other = await seedKey(pool, seeded.accountId, seeded.groupId);
    await pool.query(
      `update keys set content_log = true, content_log_days = 1, content_log_member_id =
         (select content_log_member_id from keys where id = $2) where id = $1`,
      [other.keyId, seeded.keyId],
    );
    const body = { model: 'model', messages: MESSAGES };
    const send = async (): Promise<void> => {
      const reply = await post('/v1/chat/completions', body, { key: other.key });
      expect(reply.status).toBe(200);
      await reply.text();
    };
    await send();
    await kept();
    await pool.query(sql, [other.keyId, false]);
    gateway.send({ kind: 'changed', keyIds: [other.keyId], accountIds: [seeded.accountId] });
    await send();
    await pool.query(sql, [other.keyId, true]);
    gateway.send({ kind: 'changed', keyIds: [other.keyId], accountIds: [seeded.accountId] });
    await send();
    await kept();
    expect(contents).toEqual([]);
  });
});
