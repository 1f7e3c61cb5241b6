import { describe, expect, it } from 'vitest';
import { readBoundary } from '../../../../gateway/platform/multipart/read-boundary.ts';
import {
  readMultipart,
  type FormPart,
} from '../../../../gateway/platform/multipart/read-multipart.ts';
import {
  textPart,
  writeMultipart,
} from '../../../../gateway/platform/multipart/write-multipart.ts';

const LIMITS = { partsMax: 10, fieldBytesMax: 100 };

function read(body: string | Buffer, boundary = 'b') {
  return readMultipart(Buffer.from(body as string, 'latin1'), boundary, LIMITS);
}

function field(name: string, value: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

const FILE =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n' +
  'RIFF\r\n--\r\n--c\0\xff\r\n';

describe('readBoundary', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=utf-8; Boundary="a b:c"', 'a b:c'],
    ['multipart/form-data; boundary=----formdata-undici-0123', '----formdata-undici-0123'],
    ['multipart/form-data', undefined],
    ['multipart/form-data; boundary=""', undefined],
    ['multipart/form-data; boundary=a; boundary=b', undefined],
    ['multipart/form-data; boundary="a\r\nb"', undefined],
    [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
  ])('of %j is %j', (header, boundary) => {
    expect(readBoundary(header)).toBe(boundary);
  });
});

describe('readMultipart', () => {
  it('finds fields in front of the file and behind it, and copies nothing', () => {
    const body = Buffer.from(
      `${field('model', 'w')}${FILE}${field('language', 'de')}--b--\r\n`,
      'latin1',
    );
    const parts = readMultipart(body, 'b', LIMITS);
    if ('fault' in parts) throw new Error(parts.fault);
    expect(
      parts.map(({ name, filename, content }) => [name, filename, content.toString('latin1')]),
    ).toEqual([
      ['model', null, 'w'],
      ['file', 'a.wav', 'RIFF\r\n--\r\n--c\0\xff'],
      ['language', null, 'de'],
    ]);
    expect(parts.every(({ content }) => content.buffer === body.buffer)).toBe(true);
  });

  it('reads an empty field, and what follows the end is not read', () => {
    expect(read(`${field('prompt', '')}--b--${field('model', 'x')}`)).toMatchObject([
      { name: 'prompt' },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['another boundary', field('a', 'b').replace('--b', '--c')],
    ['bytes in front of the first part', `x\r\n${field('a', 'b')}--b--`],
    ['no end', field('a', 'b')],
    ['no end of headers', '--b\r\nContent-Disposition: form-data; name="a"'],
    ['a boundary that goes on', `${field('a', 'b')}--bb\r\n\r\n\r\n--b--`],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['a part without headers', '--b\r\n\r\nx\r\n--b--'],
    [
      'a name that is there twice',
      '--b\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\nx\r\n--b--',
    ],
    [
      'a disposition that is there twice',
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"\r\n\r\nx\r\n--b--',
    ],
    [
      'base64',
      '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--',
    ],
    [
      'a header with a line feed',
      '--b\r\nContent-Disposition: form-data; name="a\nb"\r\n\r\nx\r\n--b--',
    ],
    ['a field that is too large', `${field('a', 'x'.repeat(101))}--b--`],
    ['too many parts', `${field('a', 'b').repeat(11)}--b--`],
    ['headers that are too long', `--b\r\nA: ${'x'.repeat(9_000)}\r\n\r\n\r\n--b--`],
  ])('refuses %s', (_name, body) => {
    expect(read(body)).toEqual({ fault: expect.any(String) as string });
  });
});

describe('writeMultipart', () => {
  const file = Buffer.from('\r\n--weir-0\r\n\0\xff', 'latin1');
  const parts: readonly FormPart[] = [
    textPart('model', 'w'),
    {
      name: 'file',
      filename: 'a"\r\nX-Injected: 1\r\n\r\né.wav',
      contentType: 'audio/wav',
      content: file,
      stored: null,
      size: file.length,
    },
    textPart('empty', ''),
  ];

  it('writes what it reads, and what undici reads', async () => {
    const { body, contentType } = writeMultipart(parts, (bytes) => Buffer.alloc(bytes));
    expect(readMultipart(body, readBoundary(contentType) ?? '', LIMITS)).toEqual(parts);
    // oxlint-disable-next-line typescript/no-deprecated -- another reader than ours
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    expect([...form.keys()]).toEqual(['model', 'file', 'empty']);
    const file = form.get('file') as File;
    expect(Buffer.from(await file.arrayBuffer())).toEqual(parts[1]?.content);
  });

  it('reads what undici writes', async () => {
    const form = new FormData();
    form.set('file', new File([Buffer.from([0, 13, 10, 255])], 'ü "1".wav'));
    form.set('model', 'w');
    const response = new Response(form);
    const boundary = readBoundary(response.headers.get('content-type') ?? '') ?? '';
    const read = readMultipart(Buffer.from(await response.arrayBuffer()), boundary, LIMITS);
    expect(read).toMatchObject([
      { name: 'file', filename: 'ü "1".wav', content: Buffer.from([0, 13, 10, 255]) },
      { name: 'model', content: Buffer.from('w') },
    ]);
  });

  it('never throws on damage, and reads the same again from what it writes', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const body = Buffer.from(`${field('model', 'w')}${FILE}${field('l', '')}--b--\r\n`, 'latin1');
    let whole = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const damaged = Buffer.from(body);
      damaged[random(body.length)] = [13, 10, 45, 98, 34, 0, random(256)][random(7)] ?? 0;
      const parts = readMultipart(
        damaged.subarray(0, random(9) === 0 ? random(body.length) : undefined),
        'b',
        LIMITS,
      );
      if ('fault' in parts) continue;
      whole += 1;
      const again = writeMultipart(parts, (bytes) => Buffer.alloc(bytes));
      const read = readMultipart(again.body, readBoundary(again.contentType) ?? '', LIMITS);
      expect(read).toEqual(parts);
    }
    expect(whole).toBeGreaterThan(300);
  });
});
