import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the upstream has seen it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
}

/** The reply to a request: JSON, or the events of a stream, which may break off. */
export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly events?: readonly string[];
  readonly cut?: boolean;
}

export interface AnthropicUpstream {
  /** The origin. */
  readonly url: string;
  readonly requests: SeenRequest[];
  /** The script of the next requests. */
  script: (request: SeenRequest) => ScriptedReply | Promise<ScriptedReply>;
  close(): Promise<void>;
}

/** Time for bytes already written to leave before a reset discards them. */
const RESET_DELAY_MS = 20;

/** An upstream that does what it is told, and writes down what it saw. */
export async function startAnthropicUpstream(): Promise<AnthropicUpstream> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const seen = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as Record<string, unknown>,
      };
      requests.push(seen);
      const { status = 200, headers = {}, json, events, cut } = await upstream.script(seen);
      const type = events === undefined ? 'application/json' : 'text/event-stream; charset=utf-8';
      response.writeHead(status, { 'content-type': type, ...headers });
      if (events !== undefined) response.flushHeaders();
      for (const event of events ?? []) response.write(event);
      if (cut === true) setTimeout(() => response.socket?.resetAndDestroy(), RESET_DELAY_MS);
      else response.end(events === undefined ? JSON.stringify(json) : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream: AnthropicUpstream = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    script: () => ({ status: 404, json: {} }),
    close: () => closeServer(server),
  };
  return upstream;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
