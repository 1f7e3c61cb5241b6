import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ticker } from '../../../gateway/clock/ticker.ts';
import { BodyBuffers } from '../../../gateway/http/body-buffers.ts';
import { BodyRoom } from '../../../gateway/http/body-room.ts';
import { ClientWait } from '../../../gateway/http/client-wait.ts';
import type { Exchange } from '../../../gateway/http/exchange.ts';
import { listen, type Listener } from '../../../gateway/http/listen.ts';

/** uWS closes a connection on which too little moves after 12 s at the latest. */
const LONGER_THAN_UWS_MS = 12_500;
/** More than the kernel takes for a client that reads nothing. */
const LONG_BYTES = 24_000_000;

const ticker = new Ticker();
let listener: Listener;

beforeAll(async () => {
  const buffers = new BodyBuffers(ticker);
  const limits = { bytesMax: 1_000, timeoutMs: 60_000, room: new BodyRoom(2_000) };
  const onExchange = (exchange: Exchange): void => {
    void exchange.readBody(limits, buffers, 'a sender').then((body) => {
      const echo = Buffer.isBuffer(body) ? body : 'refused';
      exchange.reply(200, [], exchange.path === '/long' ? Buffer.alloc(LONG_BYTES, 'l') : echo);
    });
  };
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    crossOriginHeaders: [],
    reuseConnections: true,
    ticker,
    onExchange,
  });
});

afterAll(() => {
  listener.close();
  ticker.stop();
});

async function ask(path: string, bodyBytes: number): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n`;
  socket.write(`${head}content-length: ${bodyBytes}\r\n\r\n`);
  return socket;
}

async function everything(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('a slow client', () => {
  it('may send its body and read its reply more slowly than uWS would have it', async () => {
    const [sender, reader] = await Promise.all([ask('/echo', 6), ask('/long', 0)]);
    sender.write('abc');
    await sleep(LONGER_THAN_UWS_MS);
    sender.write('def');
    const [echo, long] = await Promise.all([everything(sender), everything(reader)]);
    expect(echo.toString()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\nabcdef$/);
    expect(long.length - long.indexOf('\r\n\r\n') - 4).toBe(LONG_BYTES);
    expect(listener.inFlight()).toBe(0);
  });

  it('that leaves in the middle of a long reply is in flight no more', async () => {
    const reader = await ask('/long', 0);
    await once(reader, 'readable');
    expect(listener.inFlight()).toBe(1);
    reader.destroy();
    await expect.poll(() => listener.inFlight()).toBe(0);
  });

  it('that takes nothing for two minutes gets no more', () => {
    const calls: string[] = [];
    const call = (name: string) => (): void => void calls.push(name);
    const res = { pause: call('pause'), resume: call('resume'), close: call('close') };
    const wait = new ClientWait(res, ticker);
    wait.forReader();
    wait.tick(Date.now() + 119_000);
    expect(calls).toEqual(['pause', 'resume']);
    wait.tick(Date.now() + 121_000);
    expect(calls).toEqual(['pause', 'resume', 'close']);
    wait.end();
  });
});
