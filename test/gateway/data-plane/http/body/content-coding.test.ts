import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decodeBody } from '../../../../../gateway/data-plane/http/body/content-coding.ts';

const BODY = Buffer.from('{"model":"m"}');
const BYTES_MAX = 1_000;

it.each([
  ['', BODY],
  ['identity', BODY],
  ['gzip', gzipSync(BODY)],
  ['GZIP', gzipSync(BODY)],
  ['deflate', deflateSync(BODY)],
  ['deflate', deflateRawSync(BODY)],
  ['br', brotliCompressSync(BODY)],
  ['gzip, identity', gzipSync(BODY)],
  ['deflate, gzip', gzipSync(deflateSync(BODY))],
])('a body in the coding "%s" is read', async (coding, bytes) => {
  expect(await decodeBody(bytes, coding, BYTES_MAX)).toEqual(BODY);
});

it('a small body that expands beyond the limit is refused, and not expanded', async () => {
  const bomb = gzipSync(Buffer.alloc(BYTES_MAX + 1));
  expect(await decodeBody(bomb, 'gzip', BYTES_MAX)).toMatchObject({ refused: 'request_too_large' });
  const twice = gzipSync(bomb);
  expect(await decodeBody(twice, 'gzip, gzip', BYTES_MAX)).toMatchObject({
    refused: 'request_too_large',
  });
});

it('a body that is not in its coding, or in an unknown one, is refused by its name', async () => {
  expect(await decodeBody(BODY, 'gzip', BYTES_MAX)).toMatchObject({ refused: 'invalid_json' });
  const refused = { refused: 'unsupported_media_type' };
  expect(await decodeBody(BODY, 'compress', BYTES_MAX)).toMatchObject(refused);
  expect(await decodeBody(BODY, 'gzip, '.repeat(9), BYTES_MAX)).toMatchObject(refused);
  for (const bytes of [Buffer.alloc(0), gzipSync(BODY).subarray(0, -9)]) {
    expect(await decodeBody(bytes, 'gzip', BYTES_MAX)).toMatchObject({ refused: 'invalid_json' });
  }
});
