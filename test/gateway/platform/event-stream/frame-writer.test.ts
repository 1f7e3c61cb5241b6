import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  encodeHeaders,
  FrameWriter,
} from '../../../../gateway/platform/event-stream/frame-writer.ts';
import { readStreamMessages } from '../../../support/upstreams/event-stream.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text),
);

it('writes what AWS’ own library reads, byte for byte what that writes', () => {
  const header = fc.tuple(fc.string({ minLength: 1, maxLength: 40 }), fc.string());
  const message = fc.record({
    headers: fc.array(header, { maxLength: 4 }),
    payload: fc.string({ unit: 'grapheme', maxLength: 2_000 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.nat(100), (messages, capacity) => {
      const writer = new FrameWriter(capacity);
      const expected = messages.map(({ headers, payload }) => {
        const named = Object.fromEntries(
          headers.filter(([name]) => Buffer.byteLength(name) < 256 && name !== '__proto__'),
        );
        writer.begin(encodeHeaders(named));
        writer.text(payload);
        writer.end();
        const typed = Object.entries(named).map(
          ([name, value]) => [name, { type: 'string', value }] as const,
        );
        return { headers: Object.fromEntries(typed), payload };
      });
      const read = readStreamMessages(writer.bytes);
      expect(read.map(({ payload }) => payload.toString('utf8'))).toEqual(
        messages.map(({ payload }) => payload),
      );
      const theirs = expected.map(({ headers, payload }) =>
        codec.encode({
          headers,
          body: Buffer.from(payload),
        }),
      );
      expect(writer.bytes.equals(Buffer.concat(theirs))).toBe(true);
    }),
  );
});

it('writes characters of one byte each as they are', () => {
  const writer = new FrameWriter(0);
  writer.begin(encodeHeaders({ a: 'b' }));
  writer.ascii('{"bytes":"');
  writer.ascii('QUJD"}');
  writer.end();
  expect(readStreamMessages(writer.bytes)).toEqual([
    { headers: { a: 'b' }, payload: Buffer.from('{"bytes":"QUJD"}') },
  ]);
});
