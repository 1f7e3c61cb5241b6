import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../platform/support/growth.ts';
import { SseParser } from '../../../../gateway/protocols/sse/sse-parser.ts';

interface Seen {
  readonly data: string;
  readonly event: string;
  readonly plain: boolean;
}

function drain(parser: SseParser): Seen[] {
  const seen: Seen[] = [];
  while (parser.next() === 'event') {
    seen.push({ data: parser.data.toString(), event: parser.eventName, plain: parser.plain });
  }
  return seen;
}

function parse(chunks: readonly (string | Buffer)[]): Seen[] {
  const parser = new SseParser();
  const seen = chunks.flatMap((chunk) => {
    parser.feed(Buffer.from(chunk));
    return drain(parser);
  });
  parser.finish();
  return [...seen, ...drain(parser)];
}

function dataOf(...chunks: (string | Buffer)[]): string[] {
  return parse(chunks).map(({ data }) => data);
}

describe('SseParser', () => {
  it('finds plain events and says where they lie', () => {
    const parser = new SseParser();
    const chunk = Buffer.from('data: {"a":1}\n\ndata: {"b":2}\n\n');
    parser.feed(chunk);
    expect(parser.next()).toBe('event');
    expect([parser.blockStart, parser.blockEnd, parser.plain]).toEqual([0, 15, true]);
    expect(parser.bytes).toBe(chunk);
    expect(parser.next()).toBe('event');
    expect([parser.blockStart, parser.blockEnd]).toEqual([15, 30]);
    expect(parser.data.buffer).toBe(chunk.buffer);
    expect(parser.next()).toBe('incomplete');
    expect(parser.hasRest).toBe(false);
  });

  it.each([
    ['data without a space', 'data:x\n\n', ['x']],
    ['only the first space', 'data:  x\n\n', [' x']],
    ['data over several lines', 'data: x\ndata: y\ndata:\n\n', ['x\ny\n']],
    ['empty data', 'data:\n\ndata\n\n', ['', '']],
    ['comments', ': ping\n\n:\n\ndata: x\n: glued\n\n', ['x']],
    ['unknown fields', 'id: 4\nretry: 3000\nnonsense\ndata: x\n\nretry: 1\n\n', ['x']],
    ['CR LF', 'data: x\r\n\r\ndata: y\r\n\r\n', ['x', 'y']],
    ['CR', 'data: x\r\rdata: y\r\r', ['x', 'y']],
    ['mixed line ends', 'data: x\r\n\ndata: y\n\r\ndata: z\r\n\r\n', ['x', 'y', 'z']],
    ['more blank lines than one', '\n\ndata: x\n\n\n\n\ndata: y\n\n', ['x', 'y']],
    ['a byte order mark', '\ufeffdata: x\n\n', ['x']],
    ['a last event without its blank line', 'data: x\n\ndata: y\n', ['x', 'y']],
    ['a last event without any line end', 'data: x\n\ndata: y', ['x', 'y']],
    ['nothing', '', []],
  ])('reads %s', (_name, stream, expected) => {
    expect(dataOf(stream)).toEqual(expected);
  });

  it('keeps the name of an event with that event alone', () => {
    expect(parse(['event: error\ndata: x\n\ndata: y\n\n'])).toEqual([
      { data: 'x', event: 'error', plain: false },
      { data: 'y', event: '', plain: true },
    ]);
  });

  it.each(['data:x\n\n', 'data: x\n: c\n\n', 'data: x\r\n\r\n', 'event: message\ndata: x\n\n'])(
    'does not take %j for plain',
    (stream) => {
      expect(parse([stream])[0]?.plain).toBe(false);
    },
  );

  it('gives the same events however the bytes are split, also within characters and line ends', () => {
    const line = fc.constantFrom(
      'data: {"a":"grüß 🌊"}',
      'data:x',
      'data',
      ': comment',
      'event: message',
      'id: 1',
      '',
      '',
    );
    const stream = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
      .map((lines) => Buffer.from(lines.map(([text, end]) => text + end).join('')));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200)), (bytes, cuts) => {
        const points = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort(
          (a, b) => a - b,
        );
        const pieces = [0, ...points].map((from, index) => bytes.subarray(from, points[index]));
        expect(dataOf(...pieces)).toEqual(dataOf(bytes));
        const single = [...bytes].map((byte) => Buffer.from([byte]));
        expect(dataOf(...single)).toEqual(dataOf(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('does not keep an event back whose last packet is a CR', () => {
    const parser = new SseParser();
    parser.feed(Buffer.from('data: x\r'));
    expect(parser.next()).toBe('incomplete');
    parser.feed(Buffer.from('\r'));
    expect(parser.next()).toBe('event');
  });

  it('takes a lone CR at the end of a packet for a line end, and skips the LF that follows', () => {
    expect(dataOf('data: x\r\n\r', '\ndata: y\r\n\r\n')).toEqual(['x', 'y']);
    expect(dataOf('data: x\r', '\ndata: y\r\n\r\n')).toEqual(['x\ny']);
  });

  it('refuses an event beyond the limit, whole or growing', () => {
    const growing = new SseParser(100);
    growing.feed(Buffer.from('data: '));
    expect(growing.next()).toBe('incomplete');
    growing.feed(Buffer.from('x'.repeat(80)));
    expect(growing.next()).toBe('incomplete');
    growing.feed(Buffer.from('x'.repeat(80)));
    expect(growing.next()).toBe('too_large');
    const whole = new SseParser(100);
    whole.feed(Buffer.from(`data: ${'x'.repeat(200)}\n\n`));
    expect(whole.next()).toBe('too_large');
  });

  it('joins a large event in linear time', () => {
    const packet = Buffer.alloc(1_400, 0x78);
    const join = (packets: number): void => {
      const parser = new SseParser();
      parser.feed(Buffer.from('data: '));
      for (let fed = 0; fed < packets; fed += 1) {
        parser.next();
        parser.feed(packet);
      }
      parser.feed(Buffer.from('\n\n'));
      expect(parser.next()).toBe('event');
      expect(parser.data.length).toBe(packets * packet.length);
    };
    // Copying what is in hand with every packet would take a hundred times as long.
    expect(growth(join, 300, 3_000)).toBeLessThan(40);
  });
});
