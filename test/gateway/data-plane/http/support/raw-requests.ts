import { expect } from 'vitest';
import type { Outcome } from './raw-server.ts';

/** One request as it is sent, and as it is served. */
export interface RawRequest {
  readonly wire: string;
  readonly served: string;
  readonly chunked?: boolean;
}

export function request(line: string, headers: string, body: string, served: string): RawRequest {
  return { wire: `${line} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`, served };
}

export function chunked(path: string, chunks: string, body: string, headers = ''): RawRequest {
  const made = request(
    `POST ${path}`,
    `${headers}Transfer-Encoding: chunked\r\n`,
    chunks,
    `POST ${path} ${body}`,
  );
  return { ...made, chunked: true };
}

export const GET = request('GET /a?b=c', 'Accept: */*\r\n', '', 'GET /a ');
export const POST = request('POST /echo', 'Content-Length: 5\r\n', 'hello', 'POST /echo hello');
export const CHUNKED = chunked('/echo', '5\r\nhello\r\n06\r\n world\r\n0\r\n\r\n', 'hello world');
/** Must never be served behind a chunked body. */
export const BEHIND = request('GET /behind', '', '', 'GET /behind ').wire;

export function expectRefused({ served, text, closed }: Outcome): void {
  expect({ served, closed }).toEqual({ served: [], closed: true });
  expect(text).toMatch(/^(HTTP\/1\.1 (400|505) [^\r]*\r\nConnection: close\r\n|$)/);
}
