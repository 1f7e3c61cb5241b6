import http from 'node:http';
import https from 'node:https';
import { guardedLookup, refusePrivateAddress } from '../../data-plane/upstream/address-guard.ts';

export interface UpstreamRequest {
  readonly url: string;
  readonly credential: string | null;
  /** Sent as JSON by POST; a GET when absent. */
  readonly body?: object;
  readonly timeoutMs: number;
  readonly allowPrivate: boolean;
}

export type UpstreamAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly text: string;
      readonly latencyMs: number;
    }
  | { readonly kind: 'failure'; readonly reason: string; readonly latencyMs: number };

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  // An AggregateError of several addresses that were tried has no words of its own.
  if (error instanceof AggregateError) {
    return `${code}${error.errors.map(reasonOf).join('; ')}`;
  }
  return `${code}${error.message}`;
}

function readText(response: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) response.destroy(new Error('the answer is too large'));
      else chunks.push(chunk);
    });
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.on('error', reject);
    response.on('close', () => reject(new Error('the upstream closed the connection')));
  });
}

function send(request: UpstreamRequest): Promise<{ status: number; text: string }> {
  const { url, credential, body } = request;
  const { request: open } = url.startsWith('https:') ? https : http;
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      method: payload === undefined ? 'GET' : 'POST',
      // The very address that is connected to is judged, so a name cannot change its answer in between.
      ...(request.allowPrivate ? {} : { lookup: guardedLookup }),
      // A connection of its own: an open one to the same host would not be looked up again.
      agent: false,
      headers: {
        accept: 'application/json',
        'user-agent': 'weir',
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': payload.length }),
      },
      signal: AbortSignal.timeout(request.timeoutMs),
    });
    outgoing.on('error', reject);
    // Redirects are not followed: they would carry the credential to whoever is named there.
    outgoing.on('response', (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
    outgoing.end(payload);
  });
}

/** Sends one real request to an upstream, without retries, and tells what came back or why nothing did. */
export async function askUpstream(request: UpstreamRequest): Promise<UpstreamAnswer> {
  const startedMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedMs);
  const refused = await refusePrivateAddress(request.url, request.allowPrivate);
  if (refused !== undefined)
    return { kind: 'failure', reason: refused.message, latencyMs: latencyMs() };
  try {
    return { kind: 'answer', ...(await send(request)), latencyMs: latencyMs() };
  } catch (error) {
    // Nothing aborts a request but its time-out.
    const timedOut = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
    const reason = timedOut
      ? `No answer within ${String(request.timeoutMs)} ms.`
      : reasonOf(error).replaceAll(request.credential ?? '\0', '•••');
    return { kind: 'failure', reason, latencyMs: latencyMs() };
  }
}
