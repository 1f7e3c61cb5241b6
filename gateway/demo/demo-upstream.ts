import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { completionObject, SSE_DONE, streamEvents } from './chat-wire.ts';
import { demoReply, readDemoRequest, type DemoRequest } from './demo-reply.ts';

export interface DemoUpstreamOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Time between two tokens of a stream; 15 reads like a quick model. */
  readonly tokenDelayMs?: number;
}

export interface DemoUpstream {
  /** A channel's base URL: requests go to `${url}/chat/completions`. */
  readonly url: string;
  close(): Promise<void>;
}

const TOKEN_DELAY_MS = 15;
/** Above the largest body the gateway may be configured to take would be pointless for a demo. */
const BODY_BYTES_MAX = 64 * 1_048_576;
/** Longer than the gateway keeps idle connections, so that it never reuses one that is being closed. */
const KEEP_ALIVE_MS = 120_000;

/** Reads the body as JSON; undefined when it is not JSON or too large. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    const buffer = piece as Buffer;
    bytes += buffer.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    pieces.push(buffer);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(content));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  const error = { message, type: 'invalid_request_error', param: null, code: null };
  sendJson(response, status, { error });
}

async function sendStream(
  response: ServerResponse,
  request: DemoRequest,
  tokenDelayMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of streamEvents(demoReply(request), request.includeUsage)) {
    const free = response.write(event);
    await sleep(tokenDelayMs);
    if (!free && response.writableNeedDrain) {
      const left = new AbortController();
      const { signal } = left;
      await Promise.race([
        once(response, 'drain', { signal }),
        once(response, 'close', { signal }),
      ]);
      left.abort();
    }
    // The client left: nobody reads on.
    if (response.destroyed) return;
  }
  response.end(SSE_DONE);
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  tokenDelayMs: number,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    sendError(response, 404, 'The demo upstream answers POST /v1/chat/completions only.');
    return;
  }
  const demoRequest = readDemoRequest(await readJson(request));
  if (demoRequest === undefined) {
    sendError(response, 400, 'The body must be JSON with "model" and "messages".');
  } else if (demoRequest.stream) {
    await sendStream(response, demoRequest, tokenDelayMs);
  } else {
    sendJson(response, 200, completionObject(demoReply(demoRequest)));
  }
}

/**
 * The small upstream behind the demo channel, so that a newcomer's first request works without any
 * account elsewhere. It speaks the chat completions interface; it is no model.
 */
export async function startDemoUpstream(options: DemoUpstreamOptions): Promise<DemoUpstream> {
  const tokenDelayMs = options.tokenDelayMs ?? TOKEN_DELAY_MS;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    response.on('error', () => undefined);
    // Only a connection that broke gets here, and then there is nobody to tell.
    handle(request, response, tokenDelayMs).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  // A connection that could not be accepted must not end the process.
  server.on('error', () => undefined);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${host}:${String(address.port)}/v1`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
