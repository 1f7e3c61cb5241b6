import { duplexPair, PassThrough, type Duplex } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { Sender } from 'ws';
import { SocketFrames } from '../../../../gateway/data-plane/upstream/socket-frames.ts';
import { UpstreamSocket } from '../../../../gateway/data-plane/upstream/upstream-socket.ts';

const BYTES_MAX = 100_000;

/** Returns the frames that a server sends for texts. */
function framesOf(texts: readonly string[]): Buffer {
  const sent = new PassThrough({ highWaterMark: 1_000_000 });
  const sender = new Sender(sent);
  const frame = { fin: true, binary: false, mask: false, compress: false };
  for (const text of texts) sender.send(text, frame);
  return sent.read() as Buffer;
}

describe('frames', () => {
  it.each([3, 64, 4_096, 1_000_000])(
    'are whole, however they come: in pieces of %i bytes, each in the memory of the last',
    (size) => {
      const texts = [0, 1, 125, 126, 65_535, 65_536, 2].map((length, index) =>
        String(index).repeat(length),
      );
      const bytes = framesOf(texts);
      const frames = new SocketFrames(BYTES_MAX);
      const memory = Buffer.alloc(size);
      const read: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        frames.add(memory.subarray(0, bytes.copy(memory, 0, at, at + size)));
        for (let frame = frames.take(); frame !== undefined; frame = frames.take()) {
          read.push(frame.bytes.toString('utf8', frame.head));
        }
        frames.keep();
        memory.fill('x');
      }
      expect(read.map(({ length }) => length)).toEqual(texts.map(({ length }) => length));
      expect(read.join() === texts.join()).toBe(true);
    },
  );
});

describe('a socket', () => {
  let server: Duplex;
  let socket: UpstreamSocket;
  let seen: string[];
  /** Every read is into it. */
  let memory: Buffer;

  beforeEach(() => {
    const [near, far] = duplexPair();
    memory = Buffer.alloc(BYTES_MAX);
    const read = near.read.bind(near);
    near.read = (size) => {
      const bytes: unknown = read(size);
      return Buffer.isBuffer(bytes) ? memory.subarray(0, bytes.copy(memory)) : bytes;
    };
    server = far;
    seen = [];
    socket = new UpstreamSocket(near, BYTES_MAX);
    socket.attach({
      message: (frame) => {
        seen.push(frame.toString('utf8'));
        if (seen.at(-1) === 'pause') socket.pause();
      },
      writable: () => undefined,
      ended: ({ code, isBroken }) => void seen.push(`${code} ${isBroken ? 'broken' : 'closed'}`),
    });
  });

  const frame = (first: number, content: string | Buffer): Buffer => {
    const bytes = Buffer.from(content);
    return Buffer.concat([Buffer.from([first, bytes.length]), bytes]);
  };
  const [TEXT, BEGINS, GOES_ON, ENDS, PING, CLOSE] = [0x81, 0x01, 0x00, 0x80, 0x89, 0x88];
  const GOODBYE = frame(CLOSE, Buffer.from([0x03, 0xe8]));

  it('passes messages in their order, those in several frames with pings between them too', async () => {
    server.write(
      Buffer.concat([
        frame(TEXT, 'one'),
        frame(BEGINS, 'tw'),
        frame(PING, 'are you there'),
        frame(GOES_ON, 'o '),
        frame(ENDS, 'and a half'),
        frame(TEXT, 'three'),
      ]),
    );
    await expect.poll(() => seen).toEqual(['one', 'two and a half', 'three']);
    await expect.poll(() => server.readableLength).toBeGreaterThan('are you there'.length);
  });

  it('keeps what came with a message that made it pause, and its end', async () => {
    server.write(
      Buffer.concat([frame(TEXT, 'pause'), frame(PING, ''), frame(TEXT, 'later'), GOODBYE]),
    );
    server.end();
    await expect.poll(() => seen).toEqual(['pause']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['pause']);
    memory.fill('x');
    socket.resume();
    await expect.poll(() => seen).toEqual(['pause', 'later', '1000 closed']);
  });

  it.each([
    ['is no UTF-8', frame(TEXT, Buffer.from([0xc3, 0x28])), 1002],
    ['is masked', Buffer.from([TEXT, 0x82, 0, 0, 0, 0, 0x68, 0x69]), 1002],
    ['is a text within a message', Buffer.concat([frame(BEGINS, 'a'), frame(TEXT, 'b')]), 1002],
    ['is longer than allowed', Buffer.from([TEXT, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xa1]), 1009],
    ['has a reserved bit', frame(0xc1, 'a'), 1002],
  ])('breaks off at a frame that %s, and passes nothing behind it', async (_name, bad, code) => {
    server.write(Buffer.concat([frame(TEXT, 'good'), bad, frame(TEXT, 'behind')]));
    await expect.poll(() => seen).toEqual(['good', `${code} broken`]);
  });

  it('passes nothing behind a goodbye', async () => {
    server.write(Buffer.concat([frame(TEXT, 'good'), GOODBYE, frame(TEXT, 'behind')]));
    await expect.poll(() => seen).toEqual(['good', '1000 closed']);
  });
});
