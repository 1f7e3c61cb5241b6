import { connect, type Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { startFakeUpstream, type FakeUpstream } from '../../support/upstreams/fake-upstream.ts';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { redisUrl } from '../../support/stores/redis.ts';
import { seed, type Seeded } from '../../support/seed.ts';
import { startWeir, type Weir } from '../../support/weir.ts';

const MIB = 1_048_576;
const STREAM_BYTES = 200 * MIB;
const READ_BYTES_PER_SECOND = MIB;
const GROWTH_BYTES_MAX = 64 * MIB;
/** For nearly the whole stream: BACKPRESSURE_MIB=195. */
const READ_BYTES = Number(process.env['BACKPRESSURE_MIB'] ?? '10') * MIB;
const TIMEOUT_MS = (1_000 * READ_BYTES) / READ_BYTES_PER_SECOND + 5 * HANG_MS;

let database: TestDatabase;
let upstream: FakeUpstream;
let seeded: Seeded;
let weir: Weir;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  upstream = await startFakeUpstream();
  pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  seeded = await seed(pool, {
    upstreams: [upstream.url],
    creditNanoUsd: 1_000_000_000_000_000,
    outputTokensMax: 100_000_000,
    timeouts: { totalMs: TIMEOUT_MS },
  });
  weir = await startWeir({
    DATABASE_URL: database.url,
    REDIS_URL: await redisUrl(),
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '1',
  });
});

afterAll(async () => {
  await upstream.close();
  await pool.end();
  await database.drop();
});

/** Asks for a stream and reads so much of it at a steady, slow rate; returns the bytes read. */
function readSlowly(bytesMin: number): Promise<number> {
  const url = new URL(weir.url);
  const socket: Socket = connect({ host: url.hostname, port: Number(url.port) });
  const body = JSON.stringify({
    model: 'test-model',
    stream: true,
    max_tokens: 90_000_000,
    messages: [{ role: 'user', content: 'Go' }],
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: weir\r\nAuthorization: Bearer ${seeded.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return new Promise((resolve) => {
    let bytes = 0;
    const startedAtMs = Date.now();
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes >= bytesMin) {
        socket.destroy();
        resolve(bytes);
        return;
      }
      const aheadMs = (bytes / READ_BYTES_PER_SECOND) * 1000 - (Date.now() - startedAtMs);
      if (aheadMs > 0) {
        socket.pause();
        setTimeout(() => socket.resume(), aheadMs);
      }
    });
  });
}

test(
  'a client that reads 200 MB at 1 MB/s pauses the upstream instead of filling memory',
  async () => {
    upstream.behave('*', { kind: 'flood', bytes: STREAM_BYTES, pieceBytes: 1_000 });
    const before = weir.residentBytes();
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, weir.residentBytes())), 100);
    const bytes = await readSlowly(READ_BYTES);
    clearInterval(watch);
    const [request] = upstream.requests;
    console.log(
      `read ${(bytes / MIB).toFixed(1)} MiB; grew by ${((highest - before) / MIB).toFixed(1)} MiB; upstream wrote ${((request?.bytesWritten ?? 0) / MIB).toFixed(1)} MiB and waited ${request?.drainWaits} times`,
    );
    expect(highest - before).toBeLessThan(GROWTH_BYTES_MAX);
    // What lies between the two ends are socket buffers: a few megabytes, not the other 190.
    expect(request?.bytesWritten ?? 0).toBeLessThan(bytes + 32 * MIB);
    expect(request?.drainWaits).toBeGreaterThan(0);
    await until('the end upstream', () => request?.outcome === 'client_disconnected');

    // Nobody waits for a reply any more, but megabytes of text are being counted: the end must wait
    // for their bill.
    expect(await weir.end('SIGTERM')).toBe(0);
    expect(weir.output()).not.toContain('a worker task failed');
    const { rows } = await pool.query('select status, estimated from usage_records');
    expect(rows).toEqual([{ status: 'client_disconnected', estimated: true }]);
  },
  TIMEOUT_MS,
);
