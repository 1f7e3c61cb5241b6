import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stream that comes in two parts, each when its time has come. */
export interface SlowScript {
  /** Before anything is sent. */
  readonly untilHead?: Promise<unknown>;
  readonly first: readonly string[];
  /** Between the two parts. */
  readonly untilRest?: Promise<unknown>;
  readonly rest: readonly string[];
  /** Instead of a stream. */
  readonly status?: number;
}

export interface SlowStreamUpstream {
  /** A channel's base URL. */
  readonly url: string;
  script: SlowScript;
  close(): Promise<void>;
}

/** An upstream whose streams are slow, whatever they are asked for. */
export async function startSlowStreamUpstream(): Promise<SlowStreamUpstream> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      void (async () => {
        const { untilHead, first, untilRest, rest, status } = upstream.script;
        await untilHead;
        if (status !== undefined) {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end('{"error":{"message":"Refused.","type":"invalid_request_error"}}');
          return;
        }
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        if (first.length > 0) response.write(first.join(''));
        await untilRest;
        response.end(rest.join(''));
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: SlowStreamUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script: { first: [], rest: [] },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}
