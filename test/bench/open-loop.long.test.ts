import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { dueTimes } from '../../bench/load/arrivals.ts';
import { openLoop } from '../../bench/load/open-loop.ts';
import type { RequestShape } from '../../bench/load/request-shape.ts';

const RATE_PER_SECOND = 200;
const STALL_MS = 400;

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that answers at once, but for one stall, in which everybody waits. */
async function listen(stallFromMs: number): Promise<number> {
  let openedMs: number | undefined;
  server = createServer((request, response) => {
    request.resume();
    openedMs ??= performance.now();
    const sinceMs = performance.now() - openedMs;
    const waitMs = sinceMs > stallFromMs ? Math.max(0, stallFromMs + STALL_MS - sinceMs) : 0;
    setTimeout(() => response.end('{}'), waitMs);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  return address.port;
}

/** Keeps this thread, the driver's, from everything. */
function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

const request: RequestShape = { path: '/', bodies: ['{}'], headers: {}, keys: ['sk-any'] };

function load(
  port: number,
  connectionsMax: number,
  leadInSeconds = 0,
): ReturnType<typeof openLoop> {
  return openLoop({
    kind: 'open_loop',
    destination: { host: '127.0.0.1', port },
    request,
    ratePerSecond: RATE_PER_SECOND,
    leadInSeconds,
    seconds: 1 - leadInSeconds,
    spacing: 'even',
    connections: 2,
    connectionsMax,
  });
}

describe('the open loop', () => {
  it('counts every request that arrives during a stall with its whole wait', async () => {
    const port = await listen(300);
    const result = await load(port, 1_000);
    expect(result.sent).toBe(RATE_PER_SECOND);
    expect(result.statuses).toEqual({ 200: RATE_PER_SECOND });
    // Two fifths of the requests arrive while the server stalls; on average each waits for half of
    // it.
    expect(result.latencyMs.p90).toBeGreaterThan(STALL_MS / 2);
    expect(result.latencyMs.max).toBeGreaterThan(0.8 * STALL_MS);
  });

  it('counts the wait for a free connection too', async () => {
    const port = await listen(300);
    const result = await load(port, 2);
    expect(result.queued).toBeGreaterThan(RATE_PER_SECOND / 10);
    expect(result.statuses).toEqual({ 200: RATE_PER_SECOND });
    expect(result.latencyMs.p90).toBeGreaterThan(STALL_MS / 2);
  });

  it('counts from when a request was due, however late the driver gets to it', async () => {
    const port = await listen(Infinity);
    const running = load(port, 1_000);
    setTimeout(() => block(STALL_MS / 2), 600);
    const { lateMs, latencyMs, firstByteMs } = await running;
    expect(lateMs.p90).toBeGreaterThan(STALL_MS / 8);
    expect(latencyMs.p90).toBeGreaterThanOrEqual(lateMs.p90);
    expect(firstByteMs.p90).toBeGreaterThanOrEqual(lateMs.p90);
  });

  it('counts no latency of the lead-in', async () => {
    const port = await listen(Infinity);
    const result = await load(port, 1_000, 0.6);
    expect(result.statuses).toEqual({ 200: RATE_PER_SECOND });
    expect(result.latencyMs.count).toBe(0.4 * RATE_PER_SECOND);
    expect(result.firstByteMs.count).toBe(0.4 * RATE_PER_SECOND);
  });

  it('uses no connection that has been idle for so long that a server may be closing it', async () => {
    let opened = 0;
    server = createServer((_request, response) => response.end('{}'));
    server.keepAliveTimeout = 60_000;
    server.on('connection', () => (opened += 1));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
    const result = await openLoop({
      kind: 'open_loop',
      destination: { host: '127.0.0.1', port: address.port },
      request,
      // Nothing for 8 s after the first.
      ratePerSecond: 1 / 8,
      leadInSeconds: 0,
      seconds: 16,
      spacing: 'even',
      connections: 2,
      connectionsMax: 2,
    });
    expect(result.statuses).toEqual({ 200: 2 });
    // Both are replaced, for both have been idle by then.
    expect(opened).toBeGreaterThan(2);
  });

  it('tells connections that break from replies', async () => {
    server = createServer((_request, response) => response.destroy());
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
    const result = await load(address.port, 1_000);
    expect(result.statuses).toEqual({ 0: RATE_PER_SECOND });
  });
});

describe('arrivals', () => {
  it('are the same for every target and as many as asked for', () => {
    for (const spacing of ['even', 'poisson'] as const) {
      const options = { ratePerSecond: 1_000, seconds: 2, spacing };
      const due = dueTimes(options);
      expect(due).toHaveLength(2_000);
      expect(due).toEqual(dueTimes(options));
      expect([...due]).toEqual([...due].sort((a, b) => a - b));
      expect(due.at(-1)).toBeGreaterThan(1_800);
      expect(due.at(-1)).toBeLessThan(2_200);
    }
  });
});
