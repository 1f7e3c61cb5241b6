import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp, rm, readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type pg from 'pg';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { redisUrl } from '../../support/stores/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';

const MIB = 1_048_576;
const UPLOADS = 50;
const UPLOAD_BYTES = 50 * MIB;
const GROWTH_BYTES_MAX = 150 * MIB;
const BLOCK = Buffer.alloc(MIB, 'block of an image ');
const TIMEOUT_MS = 20 * HANG_MS;

let database: TestDatabase;
let pool: pg.Pool;
let upstream: { readonly url: string; readonly received: string[]; close(): void };
let seeded: Seeded;
let weir: Weir;
let dataDir: string;

/** Replies to an edit once its whole form has come, and to a chat at once. */
async function startUpstream(): Promise<typeof upstream> {
  const received: string[] = [];
  const image = Buffer.alloc(10 * MIB).toString('base64');
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { bytes, digest, first } = await digestOf(request);
    if (request.url?.endsWith('/edits') === true) received.push(`${bytes} ${digest}`);
    if (request.url?.endsWith('/generations') === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let event = 0; event < 3; event += 1) {
        const data = { type: 'image_generation.partial_image', b64_json: image };
        response.write(`data: ${JSON.stringify({ ...data, partial_image_index: event })}\n\n`);
      }
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      const last = { type: 'image_generation.completed', b64_json: image, usage };
      response.end(`data: ${JSON.stringify(last)}\n\n`);
      return;
    }
    expect(first).not.toBe('');
    response.writeHead(200, { 'content-type': 'application/json' });
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const choices = [
      { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' },
    ];
    response.end(
      JSON.stringify(
        request.url?.endsWith('/edits') === true
          ? { created: 1, data: [{ b64_json: 'aW1hZ2U=' }], usage }
          : {
              ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices },
              usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
            },
      ),
    );
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The length, the digest and the beginning of a body, which is not kept. */
async function digestOf(request: IncomingMessage) {
  const hash = createHash('sha1');
  let bytes = 0;
  let first = '';
  for await (const piece of request) {
    const chunk = piece as Buffer;
    if (first === '') first = chunk.toString('latin1', 0, 100);
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, digest: hash.digest('hex'), first };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weir-uploads-'));
  database = await createDatabase();
  upstream = await startUpstream();
  pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  seeded = await seed(pool, {
    upstreams: [upstream.url],
    creditNanoUsd: 1_000_000_000_000_000,
    timeouts: { totalMs: TIMEOUT_MS },
  });
  weir = await startWeir({
    DATABASE_URL: database.url,
    REDIS_URL: await redisUrl(),
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '1',
    DATA_DIR: dataDir,
    UPLOAD_TIMEOUT_MS: '3600000',
    // No machine must be too slow for a hold.
    LEDGER_TIMEOUT_MS: '50000',
  });
});

afterAll(async () => {
  expect(await weir.end('SIGTERM')).toBe(0);
  upstream.close();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

interface SendInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream;
  readonly duplex?: 'half';
}

function send(path: string, init: SendInit): Promise<Response> {
  return fetch(`${weir.url}/v1/${path}`, {
    method: 'POST',
    ...init,
    headers: { authorization: `Bearer ${seeded.key}`, ...init.headers },
  });
}

/** Sends one form; its fields are behind its file. */
function upload(): Promise<Response> {
  const head = `--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`;
  const field = (name: string, value: string) =>
    `\r\n--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
  const tail = `${field('prompt', 'A cat')}${field('model', 'test-model')}\r\n--b--\r\n`;
  let left = UPLOAD_BYTES / MIB;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull: (controller) => {
      left -= 1;
      if (left >= 0) controller.enqueue(BLOCK);
      else {
        controller.enqueue(Buffer.from(tail));
        controller.close();
      }
    },
  });
  return send('images/edits', {
    headers: {
      'content-type': 'multipart/form-data; boundary=b',
    },
    body,
    duplex: 'half',
  });
}

/** Chats one after the other until `isOver`; returns their times in ms, sorted. */
async function chat(isOver: (times: readonly number[]) => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver(times)) {
    const startedAt = performance.now();
    const reply = await send('chat/completions', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(reply.status).toBe(200);
    await reply.text();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((one, other) => one - other);
}

const at = (times: readonly number[], share: number): string =>
  `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;

/** Runs something, and returns how far the memory of Weir grows meanwhile. */
async function growth(work: () => Promise<void>): Promise<number> {
  const before = weir.residentBytes();
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, weir.residentBytes())), 50);
  await work().finally(() => clearInterval(watch));
  return highest - before;
}

describe('large media', () => {
  it(
    'passes fifty uploads of 50 MB at once in less than 150 MB of memory',
    { timeout: TIMEOUT_MS },
    async () => {
      const idle = await chat((times) => times.length === 1_000);
      let isOver = false;
      let busy: readonly number[] = [];
      const grown = await growth(async () => {
        const chats = chat(() => isOver);
        const replies = await Promise.all(Array.from({ length: UPLOADS }, upload));
        for (const reply of replies) {
          expect(await reply.text()).toContain('b64_json');
        }
        isOver = true;
        busy = await chats;
      });
      console.log(
        `grew by ${(grown / MIB).toFixed(0)} MiB; another client: p50 ${at(idle, 0.5)} -> ${at(busy, 0.5)}, p99 ${at(idle, 0.99)} -> ${at(busy, 0.99)} (${busy.length} chats)`,
      );
      expect(upstream.received.length).toBe(UPLOADS);
      // Each has a boundary of its own, of one length.
      expect(new Set(upstream.received.map((one) => one.split(' ')[0])).size).toBe(1);
      expect(grown).toBeLessThan(GROWTH_BYTES_MAX);
      expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
      await until('the bills', async () => {
        const { rows } = await pool.query<{ n: string }>(
          'select count(*) as n from usage_records where estimated is false',
        );
        return Number(rows[0]?.n) >= UPLOADS;
      });
    },
  );

  it('passes events of 14 MB without keeping them', { timeout: TIMEOUT_MS }, async () => {
    let bytes = 0;
    const grown = await growth(async () => {
      const reply = await send('images/generations', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'test-model', prompt: 'A cat', stream: true, partial_images: 3 },
        }),
      });
      for await (const piece of reply.body ?? []) bytes += (piece as Uint8Array).length;
    });
    console.log(
      `${(bytes / MIB).toFixed(0)} MiB of events; grew by ${(grown / MIB).toFixed(0)} MiB`,
    );
    expect(bytes).toBeGreaterThan(4 * 13 * MIB);
    expect(grown).toBeLessThan(40 * MIB);
  });
});
