import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The reply of an upstream: JSON, or the events of a stream, which may be cut off. */
export type ResponsesScript =
  | { readonly status?: number; readonly body: unknown }
  | { readonly events: readonly string[]; readonly cut?: boolean };

/** A request, as far as tests look at it. */
export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly credential: string;
  readonly body: Record<string, unknown>;
}

export interface ResponsesUpstream {
  /** A channel's base URL. */
  readonly url: string;
  /** The bodies of all requests so far. */
  readonly requests: Record<string, unknown>[];
  /** The script of requests from here on. */
  script: ResponsesScript | ((body: Record<string, unknown>) => ResponsesScript);
  /** Everything that was asked on whatever path. */
  readonly seen: SeenRequest[];
  /** Replies to other paths than that of responses. */
  others: (request: SeenRequest) => { readonly status: number; readonly body: unknown };
  close(): Promise<void>;
}

/** An upstream that speaks Responses and nothing else. */
export async function startResponsesUpstream(): Promise<ResponsesUpstream> {
  const requests: Record<string, unknown>[] = [];
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url: path = '' } = request;
      const text = Buffer.concat(pieces).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const credential = (request.headers.authorization ?? '').replace('Bearer ', '');
      seen.push({ method, path, credential, body });
      if (path !== '/v1/responses') {
        const other = upstream.others({ method, path, credential, body });
        response.writeHead(other.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(other.body));
        return;
      }
      requests.push(body);
      const script =
        typeof upstream.script === 'function' ? upstream.script(body) : upstream.script;
      if ('body' in script) {
        response.writeHead(script.status ?? 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(script.body));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      response.write(script.events.join(''), () => {
        if (script.cut === true) response.destroy();
        else response.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: ResponsesUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    seen,
    others: () => ({ status: 404, body: { error: { message: 'no such path' } } }),
    script: { status: 500, body: {} },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}
