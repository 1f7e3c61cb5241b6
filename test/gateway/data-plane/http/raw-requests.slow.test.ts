import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_UWS_MODULE } from '../../../../gateway/data-plane/http/server-library.ts';
import { serverLibraries } from '../../../support/sources/server-libraries.ts';
import {
  BEHIND,
  CHUNKED,
  chunked,
  expectRefused,
  GET,
  POST,
  request,
  type RawRequest,
} from './support/raw-requests.ts';
import { startRawServer, type RawServer } from './support/raw-server.ts';

const LIBRARIES = serverLibraries();

const REQUESTS: readonly RawRequest[] = [
  GET,
  request('HEAD /a', '', '', 'HEAD /a '),
  request('OPTIONS /a', 'Origin: https://a.example\r\n', '', 'OPTIONS /a '),
  request('DELETE /a', '', '', 'DELETE /a '),
  request('POST /echo', 'Content-Length: 0\r\n', '', 'POST /echo '),
  POST,
  CHUNKED,
];
/**
 * Valid forms of RFC 9112, 7.1, and whether uWS serves them. Bytes behind `;` may be read as
 * digits.
 */
const CHUNK_FORMS: readonly (readonly [form: string, chunks: string, body: string | null])[] = [
  ['one chunk', '5\r\nhello\r\n0\r\n\r\n', 'hello'],
  ['several chunks', '1\r\nh\r\n2\r\nel\r\n2\r\nlo\r\n0\r\n\r\n', 'hello'],
  ['no chunk', '0\r\n\r\n', ''],
  ['a size in small letters', `a\r\n0123456789\r\n0\r\n\r\n`, '0123456789'],
  ['a size in capitals', `A\r\n0123456789\r\n0\r\n\r\n`, '0123456789'],
  ['a size of two digits', `1f\r\n${'x'.repeat(31)}\r\n0\r\n\r\n`, 'x'.repeat(31)],
  ['leading zeros', '0005\r\nhello\r\n000\r\n\r\n', 'hello'],
  ['chunks that look like chunks', '7\r\n5\r\nhell\r\n0\r\n\r\n', '5\r\nhell'],
  ['chunks that look like an end', '5\r\n0\r\n\r\n\r\n0\r\n\r\n', '0\r\n\r\n'],
  ['an extension behind white space', '5 ;a=b\r\nhello\r\n0\r\n\r\n', 'hello'],
  ['an extension', '5;a=b\r\nhello\r\n0\r\n\r\n', null],
  ['an extension without a value', '5;a\r\nhello\r\n0\r\n\r\n', null],
  ['an extension of a hexadecimal digit', '5;\r\nhello\r\n0\r\n\r\n', null],
  ['an extension in quotes', '5;a="b;c"\r\nhello\r\n0\r\n\r\n', null],
  ['an extension that is no digit', '5;x=y\r\nhello\r\n0\r\n\r\n', null],
  ['an extension of the last chunk', '5\r\nhello\r\n0;a=b\r\n\r\n', null],
  ['a trailer', '5\r\nhello\r\n0\r\nX: y\r\n\r\n', null],
  ['several trailers', '5\r\nhello\r\n0\r\nX-A: y\r\nX-B: z\r\n\r\n', null],
  // Its two bytes are those that uWS skips.
  ['a trailer of one letter', '5\r\nhello\r\n0\r\nX:\r\n\r\n', 'hello'],
  ['a trailer that looks like a request', `5\r\nhello\r\n0\r\nX:${BEHIND}`, null],
];

/** Forms that are wrong. uWS takes some for right; what they hide must not be served. */
const WRONG_CHUNKS: readonly (readonly [form: string, chunks: string])[] = [
  ['no size', '\r\nhello\r\n0\r\n\r\n'],
  ['a size that is no number', 'xyz\r\nhello\r\n0\r\n\r\n'],
  ['a digit beyond f', 'g\r\nhello\r\n0\r\n\r\n'],
  ['a size below zero', '-5\r\nhello\r\n0\r\n\r\n'],
  ['a size with 0x', '0x5\r\nhello\r\n0\r\n\r\n'],
  ['a size beyond 64 bits', 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
  ['bare line feeds', '5\nhello\n0\n\n'],
  ['two bytes in place of the end of a line', '5\r\nhelloXX0\r\n\r\n'],
  ['a chunk longer than its size', '3\r\nhello\r\n0\r\n\r\n'],
  ['a chunk shorter than its size', '9\r\nhello\r\n0\r\n\r\n'],
  ['two bytes behind the last chunk', '5\r\nhello\r\n0\r\nXX'],
  ['three bytes behind the last chunk', '5\r\nhello\r\n0\r\n\r\n\n'],
  ['no end', '5\r\nhello\r\n'],
];

function* cuts(wire: string, from = 1): Generator<readonly [number, string, string]> {
  for (let at = from; at < wire.length; at += 1) yield [at, wire.slice(0, at), wire.slice(at)];
}

/** Within the body; heads are cut by another test. */
function cutsOfBody(wire: string): Generator<readonly [number, string, string]> {
  return cuts(wire, wire.indexOf('\r\n\r\n') + 4);
}

/** A build of late 2024 refuses a request line that comes in two pieces, with a 505. */
function mayRefuseCut(library: string, wire: string, at: number): boolean {
  return library === DEFAULT_UWS_MODULE && at < wire.indexOf('\r\n') + 2;
}

describe.each(LIBRARIES)('on %s', (library) => {
  let server: RawServer;

  beforeAll(async () => {
    server = await startRawServer(library);
  });

  afterAll(() => server.close());

  it.each(REQUESTS)(
    'a request is served once, at whichever byte it is cut: $served',
    async (one) => {
      for (const [at, ...pieces] of cuts(one.wire)) {
        const outcome = await server.send(...pieces);
        if (mayRefuseCut(library, one.wire, at) && outcome.served.length === 0)
          expectRefused(outcome);
        else expect([at, ...outcome.served]).toEqual([at, one.served]);
      }
    },
  );

  it.each(REQUESTS)(
    'a request joined with another is served whole or not at all: $served',
    async (one) => {
      for (const other of REQUESTS) {
        const { served, closed } = await server.send(one.wire + other.wire);
        expect([one.served, other.served].slice(0, served.length)).toEqual(served);
        // Nothing is served behind a chunked body; what is not served ends the connection.
        if (one.chunked === true) expect(served.length).toBeLessThan(2);
        if (served.length < 2) expect(closed).toBe(true);
      }
    },
  );

  it.each([
    [CHUNKED, GET],
    [CHUNKED, POST],
    [POST, GET],
    [POST, CHUNKED],
    [GET, POST],
  ])(
    'two requests are served whole or not at all, at whichever byte they are cut',
    async (one, other) => {
      for (const [at, ...pieces] of cuts(one.wire + other.wire)) {
        const { served } = await server.send(...pieces);
        expect([at, ...[one.served, other.served].slice(0, served.length)]).toEqual([
          at,
          ...served,
        ]);
        if (one.chunked === true) expect([at, served.length]).not.toEqual([at, 2]);
      }
    },
  );
});

describe.each(LIBRARIES)('chunked bodies on %s', (library) => {
  let server: RawServer;

  beforeAll(async () => {
    server = await startRawServer(library);
  });

  afterAll(() => server.close());

  it.each(CHUNK_FORMS)(
    'a chunked body with %s is served right or refused',
    async (_form, chunks, body) => {
      const { wire, served: whole } = chunked('/echo', chunks, body ?? 'hello');
      const alone = await server.send(wire);
      expect(alone.served).toEqual(body === null ? [] : [whole]);
      if (body !== null) {
        expect(alone.text).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i);
        expect(alone.text.endsWith(`\r\n\r\necho ${body}`)).toBe(true);
        expect(alone.closed).toBe(true);
      }
      for (const [at, ...pieces] of cutsOfBody(wire)) {
        const { served } = await server.send(...pieces);
        if (served.length > 0) expect([at, ...served]).toEqual([at, whole]);
      }
      for (const pieces of [[wire + BEHIND], [wire, BEHIND]]) {
        const { served } = await server.send(...pieces);
        if (served.length > 0) expect(served).toEqual([whole]);
      }
    },
  );

  it.each(WRONG_CHUNKS)(
    'nothing is served behind a chunked body with %s',
    async (_form, chunks) => {
      const { wire } = chunked('/echo', chunks, '');
      for (const pieces of [[wire + BEHIND], [wire, BEHIND], [wire, BEHIND, BEHIND]]) {
        const { served } = await server.send(...pieces);
        expect(served.filter((one) => !one.startsWith('POST /echo '))).toEqual([]);
      }
      for (const [, ...pieces] of cutsOfBody(wire + BEHIND)) {
        const { served } = await server.send(...pieces);
        expect(served.filter((one) => !one.startsWith('POST /echo '))).toEqual([]);
      }
    },
  );
});
