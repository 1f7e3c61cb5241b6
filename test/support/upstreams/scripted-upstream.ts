import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a scripted upstream has got. */
export interface ScriptedRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An object, sent as JSON, or the packets of a stream. */
export type Scripted = Readonly<Record<string, unknown>> | readonly string[];

export interface ScriptedUpstream {
  /** A channel's base URL. */
  readonly url: string;
  readonly requests: ScriptedRequest[];
  /**
   * The reply to every request: an object as JSON; texts as the packets of a stream; or what is
   * made for each.
   */
  reply: Scripted | ((request: ScriptedRequest) => Scripted);
  close(): Promise<void>;
}

/** An upstream that replies to every path with what the test has set. */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const server = createServer((request, response) => {
    void answer(request, response, scripted);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const scripted: ScriptedUpstream = {
    url: `http://127.0.0.1:${port}/v1`,
    requests: [],
    reply: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return scripted;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scripted: ScriptedUpstream,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = JSON.parse(Buffer.concat(pieces).toString()) as ScriptedRequest['body'];
  const seen = { path: request.url ?? '', body };
  scripted.requests.push(seen);
  const reply = typeof scripted.reply === 'function' ? scripted.reply(seen) : scripted.reply;
  if (Array.isArray(reply)) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const packet of reply as readonly string[]) response.write(packet);
    response.end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply));
}
