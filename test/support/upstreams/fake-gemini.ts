import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GeminiCall {
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as it came. */
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** The reply to the next request: a whole body, or the events of a stream, which may be cut off. */
export interface GeminiReply {
  readonly status?: number;
  readonly json?: unknown;
  readonly events?: readonly string[];
  /** The connection breaks behind the last event. */
  readonly cut?: boolean;
  /** The connection stays open behind the last event. */
  readonly stays?: boolean;
}

export interface FakeGemini {
  readonly url: string;
  readonly calls: GeminiCall[];
  /** Replies whose connection is still open. */
  readonly underWay: number;
  /** The reply to requests from here on. */
  reply: GeminiReply | ((call: GeminiCall) => GeminiReply);
  close(): Promise<void>;
}

/** An upstream that speaks Gemini, and says what it is told to. */
export async function startFakeGemini(): Promise<FakeGemini> {
  const calls: GeminiCall[] = [];
  let underWay = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text) as Record<string, unknown>;
      const call = { path: request.url ?? '', headers: request.headers, text, body };
      calls.push(call);
      underWay += 1;
      response.once('close', () => {
        underWay -= 1;
      });
      answer(response, typeof fake.reply === 'function' ? fake.reply(call) : fake.reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeGemini = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    get underWay() {
      return underWay;
    },
    reply: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

function answer(
  response: ServerResponse,
  { status = 200, json, events, cut, stays }: GeminiReply,
): void {
  if (events === undefined) {
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
    response.end(JSON.stringify(json));
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const rest = [...events];
  const next = (): void => {
    const event = rest.shift();
    if (event !== undefined) response.write(event, () => setImmediate(next));
    else if (cut === true) response.destroy();
    else if (stays !== true) response.end();
  };
  next();
}

/** An event of Gemini's streams. */
export function geminiEvent(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
