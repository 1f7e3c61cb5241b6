import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Receiver } from 'ws';
import { textFrame } from '../../../../gateway/data-plane/upstream/text-frame.ts';

it('is read by a server as the text that it was made of, whatever its length', () => {
  const read: string[] = [];
  const server = new Receiver({ isServer: true, maxPayload: 1_000_000 });
  server.on('message', (text) => void read.push(text.toString('utf8')));
  const lengths = [0, 1, 2, 3, 4, 5, 125, 126, 127, 65_535, 65_536, 100_003];
  const texts = lengths.map((length) => randomBytes(length).toString('base64').slice(0, length));
  // A part of a larger buffer, too, which may begin anywhere.
  for (const text of texts) server.write(textFrame(Buffer.from(` ${text}`).subarray(1)));
  expect(read).toEqual(texts);
});

it('has another mask each time, beyond those that are made at once', () => {
  const frames = Array.from({ length: 2_000 }, () => textFrame(Buffer.from('{}')).toString('hex'));
  expect(new Set(frames).size).toBeGreaterThan(1_990);
});
