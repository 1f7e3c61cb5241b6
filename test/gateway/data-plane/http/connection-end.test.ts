import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverLibraries } from '../../../support/sources/server-libraries.ts';
import { BEHIND, chunked, expectRefused, GET, POST } from './support/raw-requests.ts';
import { startRawServer, type RawServer } from './support/raw-server.ts';

const LIBRARIES = serverLibraries();

describe.each(LIBRARIES)('a chunked body on %s', (library) => {
  let server: RawServer;

  beforeAll(async () => {
    server = await startRawServer(library);
  });

  afterAll(() => server.close());

  it.each(['/echo', '/long', '/stream', '/none', '/refuse', '/refuse HEAD'])(
    'a reply to a chunked body says that it closes, and nothing is served behind it: %s',
    async (which) => {
      const [path = '', method = 'POST'] = which.split(' ');
      const { wire } = chunked(path, '5\r\nhello\r\n0\r\n\r\n', 'hello');
      const line = wire.replace('POST', method);
      const outcome = await server.sendAndWait(/\r\n\r\n/, line, BEHIND, BEHIND);
      expect(outcome.text.match(/^connection: close\r$/gim)).toHaveLength(1);
      expect(outcome.text).not.toMatch(/^keep-alive/im);
      expect(outcome.served.filter((one) => one.includes('behind'))).toEqual([]);
    },
  );

  it('a reply that needs no body comes when a chunked one is over, or does not go on', async () => {
    const { wire } = chunked('/refuse', '5\r\nhello\r\n', '');
    const early = await server.send(wire);
    expect(early).toEqual({ served: [], text: '', closed: false });
    const over = await server.send(wire, '0\r\n\r\n');
    expect(over.text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(over.closed).toBe(true);
    const late = await server.sendAndWait(/refused$/, wire);
    expect(late.text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n(.+\r\n)*connection: close\r\n/);
  });

  it.each(['gzip', 'gzip, chunked', 'identity', 'chunked, chunked'])(
    'a body with a transfer coding other than chunked is refused: %s',
    async (coding) => {
      const { wire } = chunked('/echo', '5\r\nhello\r\n0\r\n\r\n', 'hello');
      const outcome = await server.send(wire.replace(': chunked', `: ${coding}`), BEHIND);
      expect(outcome.served).toEqual([]);
      expect(outcome.closed).toBe(true);
    },
  );
});

describe.each(LIBRARIES)('the connection on %s', (library) => {
  let server: RawServer;

  beforeAll(async () => {
    server = await startRawServer(library);
  });

  afterAll(() => server.close());

  it.each(['close', 'Close', 'keep-alive, close', 'close, TE', 'TE,close'])(
    'a reply to “Connection: %s” says so',
    async (value) => {
      for (const { wire } of [GET, POST]) {
        const asking = wire.replace('\r\n', `\r\nConnection: ${value}\r\n`);
        const { text, served } = await server.send(asking);
        expect(served).toHaveLength(1);
        expect(text.match(/^connection: close\r$/gim)).toHaveLength(1);
        expect(text).not.toMatch(/^keep-alive/im);
      }
    },
  );

  it.each(['keep-alive', 'Keep-Alive', 'TE', 'closed', 'not-close'])(
    'a reply to “Connection: %s” keeps the connection',
    async (value) => {
      const asking = GET.wire.replace('\r\n', `\r\nConnection: ${value}\r\n`);
      const { text, served } = await server.send(asking, GET.wire);
      expect(served).toEqual([GET.served, GET.served]);
      expect(text).not.toMatch(/^connection: close/im);
    },
  );

  it.each([
    ['a target in absolute form', 'GET http://a/a HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target that is an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target in authority form', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an older version', 'GET /a HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['a newer version', 'GET /a HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['both lengths', POST.wire.replace('Host', 'Transfer-Encoding: chunked\r\nHost')],
    ['a length that is no number', POST.wire.replace(': 5', ': +5')],
  ])('%s is refused, the connection closed and nothing served', async (_what, wire) => {
    expectRefused(await server.send(wire, BEHIND));
  });

  // A build of late 2024 waits in silence; others refuse.
  it.each([
    ['without a Host header', GET.wire.replace('Host: a\r\n', '')],
    ['with white space before a colon', GET.wire.replace('Host:', 'Host :')],
    ['with a folded header', GET.wire.replace('Host: a', 'Host: a\r\n b: c')],
  ])('a request %s is not served, and nothing behind it', async (_what, wire) => {
    expect((await server.send(wire)).served).toEqual([]);
    expect((await server.send(wire, BEHIND)).served).toEqual([]);
  });
});
