import { createHash } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { seed, type Seeded } from '../../../support/seed.ts';

const HEAD_END = '\r\n\r\n';
/** Size of a body of which an upstream has read a part when it replies early. */
const CONTENT_BYTES = 400_000;
const CLIENTS = 6;
const REQUESTS_EACH = 4;
/** For so long an upstream that answers early leaves the rest of a body where it is. */
const UNREAD_MS = 60;

const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
const head = { id: 'reply', created: 1, model: 'test-model' };
const choice = { index: 0, finish_reason: 'stop' };
const whole = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [{ ...choice, message: { role: 'assistant', content: 'Hi' } }],
  usage,
});
const chunk = JSON.stringify({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ ...choice, delta: { role: 'assistant', content: 'Hi' } }],
  usage,
});
const stream = `data: ${chunk}\n\ndata: [DONE]\n\n`;

/** Answers the second request of every two before it has read more than its head. */
class HastyUpstream {
  /** Bodies in the order in which they were complete. */
  readonly bodies: string[] = [];
  early = 0;
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  #requests = 0;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  close(): void {
    this.#server.close();
  }

  #serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    let answered = false;
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const headText = received.toString('latin1', 0, headEnd);
      const length = Number(/content-length: (\d+)/.exec(headText)?.[1]);
      const bodyStart = headEnd + HEAD_END.length;
      if (!answered && received.length < bodyStart + length && (this.#requests += 1) % 2 === 0) {
        answered = true;
        this.early += 1;
        answer(socket, headText);
        socket.pause();
        setTimeout(() => socket.resume(), UNREAD_MS);
      }
      if (received.length < bodyStart + length) return;
      this.bodies.push(received.toString('utf8', bodyStart, bodyStart + length));
      received = received.subarray(bodyStart + length);
      if (!answered) answer(socket, headText);
      answered = false;
    });
  }
}

function answer(socket: Socket, headText: string): void {
  const streams = headText.includes('text/event-stream');
  const [type, body] = streams ? ['text/event-stream', stream] : ['application/json', whole];
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

let database: TestDatabase;
let pool: pg.Pool;
let upstream: HastyUpstream;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  upstream = new HastyUpstream();
  seeded = await seed(pool, {
    upstreams: [await upstream.listen()],
    creditNanoUsd: 1_000_000_000_000,
  });
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: await redisUrl(),
  });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  upstream.close();
  await pool.end();
  await database.drop();
});

it('each body arrives as it was sent, though the memory of those before it is used again while an upstream still reads', async () => {
  const sent: string[] = [];
  const ask = async (name: string, streams: boolean): Promise<void> => {
    const content = `${name} `.repeat(CONTENT_BYTES / (name.length + 1));
    sent.push(digest(content));
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'test-model',
        stream: streams,
        messages: [{ role: 'user', content }],
      }),
    });
    expect(response.status, await response.text()).toBe(200);
  };
  const clients = Array.from({ length: CLIENTS }, async (_value, client) => {
    for (let turn = 0; turn < REQUESTS_EACH; turn += 1) {
      await ask(`client ${client} turn ${turn}`, (client + turn) % 2 === 0);
    }
  });
  await Promise.all(clients);
  await expect.poll(() => upstream.bodies.length).toBe(sent.length);
  expect(upstream.early).toBeGreaterThan(sent.length / 4);

  const contents = upstream.bodies.map((body) => {
    const request = JSON.parse(body) as { messages: { content: string }[] };
    return request.messages[0]?.content ?? '';
  });
  expect(contents.map(digest).sort()).toEqual(sent.sort());
});
