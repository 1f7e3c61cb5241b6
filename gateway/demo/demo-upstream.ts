import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { completionObject, SSE_DONE, streamEvents } from './chat-wire.ts';
import { demoCompletionEvents, demoCompletions, readDemoCompletions } from './demo-completions.ts';
import { demoEmbeddings } from './demo-embeddings.ts';
import { demoReply, readDemoRequest } from './demo-reply.ts';

export interface DemoUpstreamOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Time between two tokens of a stream; 15 reads like a quick model. */
  readonly tokenDelayMs?: number;
}

export interface DemoUpstream {
  /** A channel's base URL: requests go to `${url}/chat/completions` and the like. */
  readonly url: string;
  close(): Promise<void>;
}

const TOKEN_DELAY_MS = 15;
/** Above the largest body the gateway may be configured to take would be pointless for a demo. */
const BODY_BYTES_MAX = 64 * 1_048_576;
/**
 * Longer than the gateway keeps idle connections, so that it never reuses one that is being closed.
 */
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
  events: Iterable<string>,
  tokenDelayMs: number,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of events) {
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
    // The client left: no one reads on.
    if (response.destroyed) return;
  }
  response.end(SSE_DONE);
}

/** Writes the demo's reply to a request; undefined if the body is no such request. */
type Answer = (
  body: unknown,
) => { readonly whole: object } | { readonly events: Iterable<string> } | undefined;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    '/v1/chat/completions',
    (body) => {
      const request = readDemoRequest(body);
      if (request === undefined) return undefined;
      const reply = demoReply(request);
      return request.stream
        ? { events: streamEvents(reply, request.includeUsage) }
        : { whole: completionObject(reply) };
    },
  ],
  [
    '/v1/completions',
    (body) => {
      const request = readDemoCompletions(body);
      if (request === undefined) return undefined;
      return request.stream
        ? { events: demoCompletionEvents(request) }
        : { whole: demoCompletions(request) };
    },
  ],
  [
    '/v1/embeddings',
    (body) => {
      const whole = demoEmbeddings(body);
      return whole === undefined ? undefined : { whole };
    },
  ],
]);

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  tokenDelayMs: number,
): Promise<void> {
  const answer = request.method === 'POST' ? ANSWERS.get(request.url ?? '') : undefined;
  if (answer === undefined) {
    const paths = [...ANSWERS.keys()].join(', ');
    sendError(response, 404, `The demo upstream answers POST at ${paths} only.`);
    return;
  }
  const reply = answer(await readJson(request));
  if (reply === undefined) {
    sendError(
      response,
      400,
      'The body must be JSON with "model" and with "messages", "prompt" or "input".',
    );
  } else if ('whole' in reply) sendJson(response, 200, reply.whole);
  else await sendStream(response, reply.events, tokenDelayMs);
}

/**
 * The small upstream behind the demo channel, so that a newcomer's first request works without any
 * account elsewhere. It speaks OpenAI's chat completions, completions and
 * embeddings; it is no model.
 */
export async function startDemoUpstream(options: DemoUpstreamOptions): Promise<DemoUpstream> {
  const tokenDelayMs = options.tokenDelayMs ?? TOKEN_DELAY_MS;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    response.on('error', () => undefined);
    // Only a connection that broke gets here, and then there is no one to reply to.
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
