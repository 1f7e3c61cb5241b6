import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A request as the fake upstream saw it, and how its reply went. Counters move while the reply
 * runs.
 */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in the order and spelling of the wire: name, value, name, value … */
  readonly rawHeaders: readonly string[];
  readonly rawBody: string;
  /** The body read as JSON; undefined when it is not JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The body's `model`, '' when it has none. */
  readonly model: string;
  /** Tells connections apart. */
  readonly remotePort: number;
  readonly receivedAtMs: number;
  /** Bytes of the reply's body handed to the socket. */
  bytesWritten: number;
  /** Number of times that the socket was full and the reply had to wait. */
  drainWaits: number;
  /** True while the reply waits for a full socket. */
  waiting: boolean;
  /** When the first byte and the last byte of the reply went out, or the client left. */
  firstByteAtMs: number | undefined;
  outcome: 'open' | 'finished' | 'client_disconnected' | 'broken_on_purpose';
  /** Resolves when `outcome` is no longer `open`. */
  readonly closed: Promise<void>;
}

function parseBody(rawBody: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(rawBody);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

export function recordRequest(
  request: IncomingMessage,
  response: ServerResponse,
  rawBody: string,
): RecordedRequest {
  const body = parseBody(rawBody);
  const model = body?.['model'];
  const recorded: RecordedRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: flatHeaders(request),
    rawHeaders: request.rawHeaders,
    rawBody,
    body,
    model: typeof model === 'string' ? model : '',
    remotePort: request.socket.remotePort ?? 0,
    receivedAtMs: Date.now(),
    bytesWritten: 0,
    drainWaits: 0,
    waiting: false,
    firstByteAtMs: undefined,
    outcome: 'open',
    closed: new Promise((resolve) => {
      response.once('close', () => {
        if (recorded.outcome === 'open') {
          recorded.outcome = response.writableFinished ? 'finished' : 'client_disconnected';
        }
        resolve();
      });
    }),
  };
  return recorded;
}
