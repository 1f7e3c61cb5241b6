import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from '../../../../gateway/platform/event-stream/frame-reader.ts';
import { frameToSse } from '../../../../gateway/platform/event-stream/frame-to-sse.ts';
import {
  eventFrame,
  exceptionFrame,
  wrappedEvent,
} from '../../../support/upstreams/fake-aws/frames.ts';

/** Reads bytes that come in these pieces. */
function read(pieces: readonly Buffer[]): { text: string; fault: string | null; rest: boolean } {
  const reader = new FrameReader();
  const text = pieces
    .flatMap((piece) => {
      // As of a connection, whose memory is used again for the next packet.
      const lent = Buffer.from(piece);
      const events = reader.push(lent).map((frame) => frameToSse(frame).toString());
      lent.fill(0);
      return events;
    })
    .join('');
  return { text, fault: reader.fault, rest: reader.hasRest };
}

const DELTA = {
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'Grüße' },
};
const FRAMES = Buffer.concat([
  wrappedEvent({ type: 'message_start', message: {} }),
  wrappedEvent(DELTA),
  eventFrame('messageStart', { role: 'assistant' }),
  exceptionFrame('throttlingException', 'Too many tokens, please wait before trying again.'),
]);
const EVENTS = `event: message_start\ndata: {"type":"message_start","message":{}}

event: content_block_delta\ndata: ${JSON.stringify(DELTA)}

event: messageStart\ndata: {"role":"assistant"}

event: exception\ndata: {"message":"Too many tokens, please wait before trying again.","__type":"throttlingException"}

`;

describe('a stream of frames', () => {
  it('is read as server-sent events wherever it is cut', () => {
    for (let at = 0; at <= FRAMES.length; at += 1) {
      const { text, fault, rest } = read([FRAMES.subarray(0, at), FRAMES.subarray(at)]);
      expect([at, text, fault, rest]).toEqual([at, EVENTS, null, false]);
    }
    expect(read([...FRAMES].map((byte) => Buffer.from([byte]))).text).toBe(EVENTS);
  });

  it('has a rest where it ends inside a frame', () => {
    for (let at = 0; at < FRAMES.length; at += 7) {
      const { fault, text } = read([FRAMES.subarray(0, at)]);
      expect(fault).toBeNull();
      expect(EVENTS.startsWith(text)).toBe(true);
    }
    expect(read([FRAMES.subarray(0, FRAMES.length - 1)]).rest).toBe(true);
  });

  it('is broken by any bit that is not as it was sent', () => {
    const frame = wrappedEvent(DELTA);
    for (let bit = 0; bit < frame.length * 8; bit += 1) {
      const broken = Buffer.from(frame);
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // What follows it would show a length that was believed.
      const { fault, text } = read([broken, Buffer.alloc(64)]);
      expect([bit, fault === null, text]).toEqual([bit, false, '']);
    }
  });

  it.each([
    ['garbage', Buffer.from('<html>Bad gateway</html>')],
    ['zeros', Buffer.alloc(64)],
    ['an event of another stream', Buffer.from('event: message_start\ndata: {}\n\n')],
  ])('is broken by %s', (_what, bytes) => {
    const { text, fault } = read([bytes]);
    expect(text).toBe('');
    expect(fault).toContain('checksum');
  });

  it.each([
    [0xff_ff_ff_ff, 0, 'a frame of 4294967295 bytes'],
    [25 * 1_048_576, 0, 'a frame of 26214400 bytes'],
    [15, 0, 'do not fit'],
    [64, 49, 'do not fit'],
  ])('believes no frame of %i bytes with %i of headers', async (total, headers, fault) => {
    const { crc32 } = await import('node:zlib');
    const prelude = Buffer.alloc(12);
    prelude.writeUInt32BE(total, 0);
    prelude.writeUInt32BE(headers, 4);
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
    expect(read([prelude]).fault).toContain(fault);
  });

  it('is read as the codec of the AWS SDK writes it, with headers of every type', () => {
    const codec = new EventStreamCodec(
      (bytes) => Buffer.from(bytes).toString('utf8'),
      (text) => Buffer.from(text),
    );
    const value = fc.oneof(
      fc.boolean().map((on) => ({ type: 'boolean' as const, value: on })),
      fc.integer({ min: -128, max: 127 }).map((n) => ({ type: 'byte' as const, value: n })),
      fc.integer({ min: -32_768, max: 32_767 }).map((n) => ({ type: 'short' as const, value: n })),
      fc.maxSafeInteger().map((n) => ({ type: 'integer' as const, value: n | 0 })),
      fc.uint8Array({ maxLength: 40 }).map((b) => ({ type: 'binary' as const, value: b })),
      fc.string({ maxLength: 40 }).map((s) => ({ type: 'string' as const, value: s })),
      fc.date({ noInvalidDate: true }).map((d) => ({ type: 'timestamp' as const, value: d })),
      fc.uuid().map((id) => ({ type: 'uuid' as const, value: id })),
    );
    const headers = fc.dictionary(fc.stringMatching(/^[a-z]{1,20}$/), value, { maxKeys: 6 });
    const frames = fc.array(fc.tuple(headers, fc.json({ maxDepth: 2 })), { maxLength: 4 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(2_000), { maxLength: 6 }), (sent, cuts) => {
        const bytes = Buffer.concat(
          sent.map(([more, json]) =>
            codec.encode({
              headers: {
                ...more,
                ':message-type': { type: 'string', value: 'event' },
                ':event-type': { type: 'string', value: 'contentBlockDelta' },
              },
              body: Buffer.from(json),
            }),
          ),
        );
        const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].toSorted(
          (a, b) => a - b,
        );
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        const expected = sent.map(([, json]) => `event: contentBlockDelta\ndata: ${json}\n\n`);
        expect(read(pieces)).toEqual({ text: expected.join(''), fault: null, rest: false });
      }),
      { numRuns: 100 },
    );
  });

  it('gives each event one line of data, and a name that is none of a line', () => {
    const lines = Buffer.from(JSON.stringify({ a: 1, b: [2] }, null, 2).replaceAll('\n', '\r\n'));
    const { text } = read([eventFrame('odd\nname', lines)]);
    expect(text).toMatch(/^data: \{ .*\}\n\n$/);
    expect(JSON.parse(text.slice(6))).toEqual({ a: 1, b: [2] });
  });

  it('has the words of an error that the service has no model of', () => {
    const codec = new EventStreamCodec(
      (bytes) => Buffer.from(bytes).toString('utf8'),
      (text) => Buffer.from(text),
    );
    const frame = codec.encode({
      headers: {
        ':message-type': { type: 'string', value: 'error' },
        ':error-code': { type: 'string', value: 'InternalFailure' },
        ':error-message': { type: 'string', value: 'Went away.' },
      },
      body: new Uint8Array(),
    });
    expect(read([Buffer.from(frame)]).text).toBe(
      'event: exception\ndata: {"message":"Went away.","__type":"InternalFailure"}\n\n',
    );
  });
});
