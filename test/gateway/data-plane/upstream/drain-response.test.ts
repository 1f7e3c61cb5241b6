import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import { steadyNowMs } from '../../../../gateway/platform/clock/steady-clock.ts';
import { Ticker, type Ticking } from '../../../../gateway/platform/event-loop/ticker.ts';
import {
  drainResponse,
  DRAIN_BYTES_MAX,
  DRAIN_MS_MAX,
} from '../../../../gateway/data-plane/upstream/drain-response.ts';
import type { UpstreamCall } from '../../../../gateway/data-plane/upstream/upstream-call.ts';
import { UpstreamPools } from '../../../../gateway/data-plane/upstream/upstream-pools.ts';
import { chatRequest, openChannel } from './support/open-channel.ts';

const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const LAST_PIECE = '4\r\nlast\r\n';
const END = '0\r\n\r\n';

/** Ticks when it is told to, not by a timer. */
class StillTicker extends Ticker {
  readonly ticking = new Set<Ticking>();
  override add(item: Ticking): void {
    this.ticking.add(item);
  }
  override remove(item: Ticking): void {
    this.ticking.delete(item);
  }
  tick(nowMs: number): void {
    for (const item of this.ticking) item.tick(nowMs);
  }
}

let server: Server;
let sockets: Socket[];
let pools: UpstreamPools;
let channel: ChannelEntry;
let ticker: StillTicker;

beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => socket.write(HEAD));
  });
  channel = await openChannel(server);
  pools = new UpstreamPools({ connectionsMax: 1, allowPrivate: true });
  ticker = new StillTicker();
});

afterEach(async () => {
  ticker.stop();
  await pools.close();
  server.close();
});

/** A call that was paused by what came last of its reply, as for a slow client. */
async function pausedOnLastPiece(rest = ''): Promise<UpstreamCall> {
  const call = pools.send(channel, chatRequest(Buffer.from('{}'), true));
  await call.head;
  await new Promise<void>((resolve) => {
    call.attach({
      data: () => {
        call.pause();
        resolve();
      },
      end: () => undefined,
      failure: () => undefined,
    });
    sockets.at(-1)?.write(LAST_PIECE + rest);
  });
  return call;
}

it('reads what still comes of a paused reply, so that its connection is used again', async () => {
  const call = await pausedOnLastPiece(END);
  drainResponse(call, ticker);
  await expect.poll(() => call.over).toBe(true);
  expect(ticker.ticking.size).toBe(0);
  const next = await pausedOnLastPiece();
  expect(sockets).toHaveLength(1);
  next.abort({ failed: 'aborted', detail: 'the end of the test' });
});

it('does nothing about a reply that is over', async () => {
  const call = await pausedOnLastPiece();
  sockets[0]?.destroy();
  call.resume();
  await expect.poll(() => call.over).toBe(true);
  drainResponse(call, ticker);
  expect(ticker.ticking.size).toBe(0);
});

it('waits so long for the end and no longer', async () => {
  const call = await pausedOnLastPiece();
  const nowMs = steadyNowMs();
  drainResponse(call, ticker);
  ticker.tick(nowMs + DRAIN_MS_MAX - 1);
  expect(call.over).toBe(false);
  ticker.tick(steadyNowMs() + DRAIN_MS_MAX);
  expect(call.over).toBe(true);
  expect(ticker.ticking.size).toBe(0);
  await expect.poll(() => sockets[0]?.closed).toBe(true);
});

it('drops so much and no more', async () => {
  const call = await pausedOnLastPiece();
  drainResponse(call, ticker);
  const piece = 'x'.repeat(16 * 1024);
  const pieces = DRAIN_BYTES_MAX / piece.length + 1;
  for (let sent = 0; sent < pieces; sent += 1) sockets[0]?.write(`4000\r\n${piece}\r\n`);
  await expect.poll(() => call.over).toBe(true);
  expect(ticker.ticking.size).toBe(0);
  await expect.poll(() => sockets[0]?.closed).toBe(true);
});
