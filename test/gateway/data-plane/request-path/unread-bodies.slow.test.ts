import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import type { UpstreamCall } from '../../../../gateway/data-plane/upstream/upstream-call.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed } from '../../../support/seed.ts';

/**
 * More than the kernel takes for somebody who does not read, so that what follows it waits in the
 * gateway.
 */
const PLUG_BYTES = 16_000_000;
/** The largest body whose memory is reused. */
const BODY_BYTES = 1_000_000;

const HEAD_END = '\r\n\r\n';

const REPLY = JSON.stringify({
  id: 'reply',
  object: 'chat.completion',
  created: 1,
  model: 'test-model',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hi' } }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
});

/** One connection to each upstream; counts what is sent. */
class OneConnection extends UpstreamPools {
  sent = 0;

  constructor() {
    super({ connectionsMax: 1, allowPrivate: true });
  }

  override send(...request: Parameters<UpstreamPools['send']>): UpstreamCall {
    const call = super.send(...request);
    this.sent += 1;
    return call;
  }
}

/** Reads the beginning of what comes first, and no further until it is told. */
class UnreadingUpstream {
  readonly #pieces: Buffer[] = [];
  #socket: Socket | undefined;
  readonly #server: Server = createServer((socket) => {
    this.#socket = socket;
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      if (this.#pieces.length === 0) socket.pause();
      this.#pieces.push(data);
    });
  });

  get asked(): boolean {
    return this.#pieces.length > 0;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/v1`;
  }

  /** Answers a request, of which it need not have seen anything. */
  answer(status: number): void {
    this.#socket?.write(
      `HTTP/1.1 ${String(status)} Status\r\ncontent-type: application/json\r\ncontent-length: ${String(REPLY.length)}\r\n\r\n${REPLY}`,
    );
  }

  readOn(): void {
    this.#socket?.resume();
  }

  /** The bodies that have come whole. */
  bodies(): string[] {
    let rest = Buffer.concat(this.#pieces);
    const bodies: string[] = [];
    for (;;) {
      const headEnd = rest.indexOf(HEAD_END);
      if (headEnd === -1) return bodies;
      const length = /content-length: (\d+)/.exec(rest.toString('latin1', 0, headEnd))?.[1];
      const start = headEnd + HEAD_END.length;
      const end = start + Number(length);
      if (rest.length < end) return bodies;
      bodies.push(rest.toString('utf8', start, end));
      rest = rest.subarray(end);
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#server.close();
  }
}

let database: TestDatabase;
let pool: pg.Pool;
let reading: FakeUpstream;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  reading = await startFakeUpstream();
});

afterAll(async () => {
  await Promise.all([reading.close(), pool.end()]);
  await database.drop();
});

/** Two customers, of whom the second never meets the upstream that does not read. */
async function createFixture() {
  const unreading = new UnreadingUpstream();
  const upstreams = [await unreading.listen(), reading.url];
  const [model, other] = [randomUUID(), randomUUID()];
  const first = await seed(pool, { upstreams, models: [{ publicId: model }] });
  const second = await seed(pool, { upstreams: [reading.url], models: [{ publicId: other }] });
  const pools = new OneConnection();
  const gateway = await startGatewayInProcess({ pool, databaseUrl: database.url }, (context) => ({
    ...context,
    upstreams: pools,
  }));
  const bodyOf = (content: string, publicId = model): string =>
    JSON.stringify({ model: publicId, messages: [{ role: 'user', content }] });
  const send = async (body: string, { key } = first): Promise<number> => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    await reply.text();
    return reply.status;
  };
  return {
    unreading,
    bodyOf,
    send,
    sendAsSecond: (content: string) => send(bodyOf(content, other), second),
    untilSent: (calls: number) => expect.poll(() => pools.sent).toBe(calls),
    close: async () => {
      await gateway.close();
      await pools.close();
      unreading.close();
    },
  };
}

it.each([
  { does: 'answers', status: 200 },
  { does: 'fails, so that another answers,', status: 500 },
])(
  'an upstream that $does before it has read a body reads nothing of the next customer’s later',
  async ({ status }) => {
    const { unreading, bodyOf, send, sendAsSecond, untilSent, close } = await createFixture();
    const plug = send(bodyOf('p'.repeat(PLUG_BYTES)));
    await expect.poll(() => unreading.asked).toBe(true);
    unreading.answer(200);
    expect(await plug).toBe(200);

    const body = bodyOf('a'.repeat(BODY_BYTES));
    const reply = send(body);
    await untilSent(2);
    unreading.answer(status);
    expect(await reply).toBe(200);
    expect(await sendAsSecond('b'.repeat(BODY_BYTES))).toBe(200);

    unreading.readOn();
    await expect.poll(() => unreading.bodies().length).toBe(2);
    // Not compared by the matcher: it would print them.
    expect(unreading.bodies()[1] === body).toBe(true);
    await close();
  },
);
