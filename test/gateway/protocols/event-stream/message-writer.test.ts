import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  encodeHeaders,
  MessageWriter,
} from '../../../../gateway/protocols/event-stream/message-writer.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text),
);

/** Messages as AWS' own library reads them: it checks lengths and both checksums. */
function readMessages(bytes: Buffer): { headers: Record<string, unknown>; payload: string }[] {
  const read = [];
  for (let start = 0; start < bytes.length; ) {
    const end = start + bytes.readUInt32BE(start);
    const { headers, body } = codec.decode(bytes.subarray(start, end));
    read.push({ headers, payload: Buffer.from(body).toString('utf8') });
    start = end;
  }
  return read;
}

it('writes what AWS’ own library reads, byte for byte what that writes', () => {
  const header = fc.tuple(fc.string({ minLength: 1, maxLength: 40 }), fc.string());
  const message = fc.record({
    headers: fc.array(header, { maxLength: 4 }),
    payload: fc.string({ unit: 'grapheme', maxLength: 2_000 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.nat(100), (messages, capacity) => {
      const writer = new MessageWriter(capacity);
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
      expect(readMessages(writer.bytes)).toEqual(expected);
      const theirs = expected.map(({ headers, payload }) =>
        codec.encode({
          headers: headers as Parameters<typeof codec.encode>[0]['headers'],
          body: Buffer.from(payload),
        }),
      );
      expect(writer.bytes.equals(Buffer.concat(theirs))).toBe(true);
    }),
  );
});

it('writes characters of one byte each as they are', () => {
  const writer = new MessageWriter(0);
  writer.begin(encodeHeaders({ a: 'b' }));
  writer.ascii('{"bytes":"');
  writer.ascii('QUJD"}');
  writer.end();
  expect(readMessages(writer.bytes)).toMatchObject([{ payload: '{"bytes":"QUJD"}' }]);
});
