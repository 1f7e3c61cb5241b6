import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormFile, StoredContent } from '../../../../gateway/platform/multipart/form-file.ts';
import { FormSplitter } from '../../../../gateway/platform/multipart/form-splitter.ts';
import {
  readMultipart,
  type FormPart,
  type MultipartFault,
} from '../../../../gateway/platform/multipart/read-multipart.ts';

const LIMITS = { partsMax: 5, fieldBytesMax: 64 };

interface Split {
  readonly text: Buffer;
  readonly file: Buffer;
  readonly parts: readonly FormPart[] | MultipartFault;
}

/** Splits a body that comes in pieces, and reads the result. */
function split(body: Buffer, pieceBytes: number, boundary = 'b'): Split | MultipartFault {
  const splitter = new FormSplitter(boundary, LIMITS);
  const stored: Buffer[] = [];
  const memory = Buffer.alloc(body.length + 1_000);
  for (let at = 0; at < body.length; at += pieceBytes) {
    const bytes = body.subarray(at, at + pieceBytes);
    const window = memory.subarray(0, splitter.windowBytes(bytes.length));
    const taken = splitter.push(bytes, window);
    if ('fault' in taken) return taken;
    stored.push(...taken.map((piece) => Buffer.from(piece)));
    // It is used again: nothing of it may be in the text.
    memory.fill('x');
  }
  const text = splitter.end();
  const file = {} as FormFile;
  const storedAt = new Map<number, StoredContent>(
    splitter.ranges.map(({ textAt, at, length }) => [textAt, { file, at, length }]),
  );
  return {
    text,
    file: Buffer.concat(stored),
    parts: readMultipart(text, boundary, LIMITS, storedAt),
  };
}

/** The parts with the contents that were stored in their places. */
function wholeParts(result: Split | MultipartFault): readonly object[] | MultipartFault {
  if ('fault' in result) return result;
  const { parts, file } = result;
  if ('fault' in parts) return parts;
  return parts.map(({ name, filename, content, stored }) => ({
    name,
    filename,
    content: (stored === null
      ? content
      : file.subarray(stored.at, stored.at + stored.length)
    ).toString('latin1'),
  }));
}

function form(parts: readonly { name: string; filename?: string; content: string }[]): Buffer {
  const written = parts.map(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  return Buffer.from(`${written.join('')}--b--\r\n`, 'latin1');
}

describe('FormSplitter', () => {
  it('keeps fields and small files in the text, and large files in the file', () => {
    const body = form([
      { name: 'image', filename: 'a.png', content: 'x'.repeat(65) },
      { name: 'prompt', content: 'a cat' },
      { name: 'mask', filename: 'm.png', content: 'y'.repeat(64) },
      { name: 'model', content: '' },
    ]);
    const result = split(body, 7);
    expect(wholeParts(result)).toEqual(wholeParts(split(body, body.length)));
    expect(result).toMatchObject({ file: Buffer.from('x'.repeat(65)) });
    expect('text' in result && result.text.includes('yyyy')).toBe(true);
    expect('text' in result && result.text.includes('xxxx')).toBe(false);
  });

  it('reads any form, in pieces of any size, as the reader of whole bodies does', () => {
    // Contents that are almost boundaries.
    const word = fc.constantFrom('\r', '\n', '\r\n', '--', '--b', '\r\n--', 'a', '\r\n--a', '-');
    const content = fc
      .array(word, { maxLength: 60 })
      .map((words) => words.join(''))
      .filter((text) => !`\r\n${text}\r\n--b`.slice(0, -1).includes('\r\n--b'));
    const part = fc.record({
      name: fc.constantFrom('a', 'c'),
      filename: fc.constant('f'),
      content,
    });
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 90 }),
        (parts, pieceBytes) => {
          expect(wholeParts(split(form(parts), pieceBytes))).toEqual(parts);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('ends a part without content at the line break of its headers', () => {
    const body = Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n--b\r\nContent-Disposition: form-data; name="c"\r\n\r\nd\r\n--b--`,
    );
    for (const pieceBytes of [1, 3, body.length]) {
      expect(wholeParts(split(body, pieceBytes))).toEqual([
        { name: 'a', filename: null, content: '' },
        { name: 'c', filename: null, content: 'd' },
      ]);
    }
  });

  it.each([
    ['a field that is too large', form([{ name: 'a', content: 'x'.repeat(65) }]), 'larger than 64'],
    [
      'too many parts',
      form(Array.from({ length: 6 }, () => ({ name: 'a', content: '' }))),
      'more than 5 parts',
    ],
    [
      'headers without an end',
      Buffer.from(`--b\r\nA: ${'x'.repeat(9_000)}`),
      'have no end, or are too long',
    ],
    [
      'no closing boundary',
      form([{ name: 'a', content: 'x' }]).subarray(0, -4),
      'goes on|ends|within',
    ],
    ['another boundary', Buffer.from('--c\r\n\r\n'), 'does not begin with the boundary'],
    [
      'a preamble',
      Buffer.from(`hello\r\n${form([]).toString()}`),
      'does not begin with the boundary',
    ],
    ['nothing', Buffer.alloc(0), 'does not begin with the boundary'],
  ])('refuses %s', (_what, body, words) => {
    for (const pieceBytes of [1, 10, 10_000]) {
      const result = wholeParts(split(body, pieceBytes));
      expect(result).toMatchObject({ fault: expect.stringMatching(words) as string });
    }
  });

  it('keeps no more in memory than the limits, however large the form is', () => {
    const splitter = new FormSplitter('b', { partsMax: 128, fieldBytesMax: 128 * 1024 });
    const header = '\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n';
    let storedBytes = 0;
    let keptMax = 0;
    const push = (bytes: Buffer): void => {
      const stored = splitter.push(bytes, Buffer.alloc(splitter.windowBytes(bytes.length)));
      if ('fault' in stored) throw new Error(stored.fault);
      for (const { length } of stored) storedBytes += length;
      keptMax = Math.max(keptMax, splitter.keptBytes);
    };
    for (let part = 0; part < 100; part += 1) {
      push(Buffer.from(`${part === 0 ? '' : '\r\n'}--b${header}`));
      push(Buffer.alloc(100 * 1024));
    }
    push(Buffer.from('\r\n--b--'));
    expect(keptMax).toBeLessThan(2.3 * 1024 * 1024);
    // Those that have no room in the text are stored.
    expect(splitter.ranges.length).toBeGreaterThan(75);
    expect(storedBytes + splitter.end().length).toBeGreaterThan(100 * 100 * 1024);
  });
});
