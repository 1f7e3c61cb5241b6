import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steadyNowMs } from '../../../../gateway/platform/clock/steady-clock.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { Ticker } from '../../../../gateway/platform/event-loop/ticker.ts';
import { BodyBuffers } from '../../../../gateway/data-plane/http/body/body-buffers.ts';
import { BodyQuota } from '../../../../gateway/data-plane/http/body/body-quota.ts';
import { ClientWait } from '../../../../gateway/data-plane/http/client-wait.ts';
import type { Exchange } from '../../../../gateway/data-plane/http/exchange.ts';
import { listen, type Listener } from '../../../../gateway/data-plane/http/listen.ts';

/** More than the kernel takes for a client that reads nothing. */
const LONG_BYTES = 24_000_000;
const SHORTER_BYTES = 200_000;
const LETTER = 'z'.charCodeAt(0);

/** Puts brackets around texts; what is long stays as it is. */
function frame(bytes: string | Uint8Array): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(`<${bytes}>`) : bytes;
}

const ticker = new Ticker();
let listener: Listener;
let served = 0;

beforeAll(async () => {
  const buffers = new BodyBuffers(ticker);
  const limits = { bytesMax: 1_000, timeoutMs: HANG_MS, quota: new BodyQuota(2_000) };
  const onExchange = (exchange: Exchange): void => {
    served += 1;
    if (exchange.path === '/shorter') {
      exchange.reply(200, [], Buffer.alloc(SHORTER_BYTES, LETTER));
      return;
    }
    void exchange.readBody(limits, buffers, 'a sender').then((body) => {
      if (exchange.path === '/echo') {
        exchange.reply(200, [], Buffer.isBuffer(body) ? body : 'refused');
        return;
      }
      const long = Buffer.alloc(LONG_BYTES, LETTER);
      if (exchange.path === '/long') {
        exchange.reply(200, [], long);
        return;
      }
      if (exchange.path === '/framed') {
        exchange.startStream([], long, { keepAlive: 'ping', frame });
        exchange.onWritable(() => exchange.endStream('the last event'));
        return;
      }
      if (exchange.path === '/split') {
        exchange.startStream([], long, { keepAlive: ': \n\n', splitsEvents: true });
        // One part is shorter than what is kept back of a part.
        exchange.onWritable(() => {
          if (exchange.write('y') && exchange.write(long)) exchange.endStream('the last part');
          else exchange.onWritable(() => exchange.endStream('the last part'));
        });
        return;
      }
      exchange.startStream([], long, { keepAlive: ': \n\n' });
      if (exchange.path === '/stream') exchange.endStream('the last event');
      else exchange.onWritable(() => exchange.write('nothing is kept any more'));
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

/** Counts the letter of which long replies are made, and which no head has. */
function lettersIn(bytes: Buffer): number {
  let letters = 0;
  for (const byte of bytes) if (byte === LETTER) letters += 1;
  return letters;
}

/** Returns the text with one letter for each run of them: long runs overflow V8's matcher. */
function withoutRepeats(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== LETTER || text.charCodeAt(at - 1) !== LETTER) out += text[at] ?? '';
  }
  return out;
}

/** Asks on one connection, whose replies nobody reads, until one of them has not been taken. */
async function askUntilFull(): Promise<{ socket: Socket; asked: number }> {
  const socket = connect(listener.port, '127.0.0.1');
  let asked = 0;
  while (listener.inFlight() === 0 && asked * SHORTER_BYTES < LONG_BYTES) {
    const before = served;
    socket.write('GET /shorter HTTP/1.1\r\nhost: a\r\n\r\n');
    await until('the request is served', () => served > before);
    asked += 1;
  }
  return { socket, asked };
}

/**
 * By its own rule uWS closes a connection that has sent nothing; those before it have then outlived
 * that rule.
 */
async function untilUwsHasClosedOne(): Promise<void> {
  await once(connect(listener.port, '127.0.0.1').resume(), 'close');
}

it('what keeps a slow client’s stream alive has the form of the stream', async () => {
  const reply = await everything(await ask('/framed', 0));
  expect(lettersIn(reply)).toBe(LONG_BYTES);
  const texts = [
    ...reply
      .subarray(-200)
      .toString('latin1')
      .matchAll(/<[^>]*>/g),
  ].map(String);
  expect(new Set(texts)).toEqual(new Set(['<ping>', '<the last event>']));
  expect(texts.at(-1)).toBe('<the last event>');
});

it('nothing is put into a slow client’s stream whose writes end within events', async () => {
  const reply = await everything(await ask('/split', 0));
  const body = reply.subarray(reply.indexOf('\r\n\r\n') + 2).toString('latin1');
  const text = body.replaceAll(/\r\n[0-9a-f]+\r\n/g, '');
  expect(withoutRepeats(text)).toBe('zyzthe last part\r\n');
  expect(lettersIn(reply)).toBe(2 * LONG_BYTES);
});

describe('a slow client', () => {
  it('may send its body and read its reply more slowly than uWS would have it', async () => {
    const { socket, asked } = await askUntilFull();
    const [sender, reader, listening] = await Promise.all([
      ask('/echo', 6),
      ask('/long', 0),
      ask('/stream', 0),
    ]);
    sender.write('abc');
    await untilUwsHasClosedOne();
    expect(listener.inFlight()).toBe(4);
    sender.write('def');
    let letters = 0;
    socket.on('data', (bytes: Buffer) => (letters += lettersIn(bytes)));
    const [echo, long, stream] = await Promise.all([
      everything(sender),
      everything(reader),
      everything(listening),
    ]);
    expect(echo.toString()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\n\r\nabcdef$/);
    expect(lettersIn(long)).toBe(LONG_BYTES);
    expect(lettersIn(stream)).toBe(LONG_BYTES);
    expect(stream.toString('latin1', stream.length - 500)).toMatch(
      /the last event[^z]*\r\n0\r\n\r\n$/,
    );
    await expect.poll(() => letters).toBe(asked * SHORTER_BYTES);
    expect(listener.inFlight()).toBe(0);
    socket.destroy();
  });

  it('gets what was kept for it although nothing follows', async () => {
    const reader = await ask('/silent', 0);
    let text = '';
    reader.on('data', (bytes: Buffer) => (text = bytes.toString('latin1')));
    await expect.poll(() => text).toContain('nothing is kept any more');
    expect(listener.inFlight()).toBe(1);
    reader.destroy();
    await expect.poll(() => listener.inFlight()).toBe(0);
  });

  it.each(['/long', '/stream'])(
    'that leaves in the middle of a long reply is in flight no more: %s',
    async (path) => {
      const reader = await ask(path, 0);
      await once(reader, 'readable');
      expect(listener.inFlight()).toBe(1);
      reader.destroy();
      await expect.poll(() => listener.inFlight()).toBe(0);
    },
  );

  it('that takes nothing for two minutes gets no more', () => {
    const calls: string[] = [];
    const call = (name: string) => (): void => void calls.push(name);
    const res = { pause: call('pause'), resume: call('resume'), close: call('close') };
    const wait = new ClientWait(res, ticker);
    wait.forReader();
    wait.tick(steadyNowMs() + 119_000);
    expect(calls).toEqual(['pause', 'resume']);
    wait.tick(steadyNowMs() + 121_000);
    expect(calls).toEqual(['pause', 'resume', 'close']);
    wait.end();
  });
});
