import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  completionObject,
  SSE_DONE,
  sseEvent,
  streamEvents,
} from '../../gateway/demo/chat-wire.ts';
import type { Behaviour, Flood, RawReply, Reply } from './behaviour.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { PROMPT_TOKENS, wireReply } from './wire-reply.ts';

const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
};
const FLOOD_PIECE_BYTES = 8_192;
/** Time for bytes already written to leave the machine's send buffer before a reset discards it. */
const RESET_DELAY_MS = 20;

interface Stage {
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
}

/** Writes one piece and waits while the socket is full. Answers false when the client has gone. */
async function writePiece({ request, response }: Stage, piece: string): Promise<boolean> {
  if (response.destroyed) return false;
  const free = response.write(piece);
  request.firstByteAtMs ??= Date.now();
  request.bytesWritten += Buffer.byteLength(piece);
  if (free) return true;
  request.drainWaits += 1;
  request.waiting = true;
  const gone = new AbortController();
  const { signal } = gone;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  gone.abort();
  request.waiting = false;
  return !response.destroyed;
}

async function writeAll(stage: Stage, pieces: Iterable<string>, delayMs: number): Promise<void> {
  for (const piece of pieces) {
    if (!(await writePiece(stage, piece))) return;
    if (delayMs > 0) await sleep(delayMs);
  }
}

async function reset({ request, response }: Stage): Promise<void> {
  await sleep(RESET_DELAY_MS);
  if (request.outcome === 'open') request.outcome = 'broken_on_purpose';
  response.socket?.resetAndDestroy();
}

async function endAs(stage: Stage, end: 'eof' | 'reset' | 'hang'): Promise<void> {
  if (end === 'eof') stage.response.end();
  if (end === 'reset') await reset(stage);
  // A hang ends with the client or with the fake upstream itself.
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  if (count <= 0) return;
  for (const item of items) {
    yield item;
    taken += 1;
    if (taken >= count) return;
  }
}

function choicesAskedFor({ body }: RecordedRequest): number {
  const n = body?.['n'];
  return typeof n === 'number' ? n : 1;
}

function asksForUsage(request: RecordedRequest): boolean {
  const options = request.body?.['stream_options'];
  if (typeof options !== 'object' || options === null) return false;
  return 'include_usage' in options && options.include_usage === true;
}

async function playStream(stage: Stage, reply: Reply): Promise<void> {
  const { request, response } = stage;
  const delayMs = reply.pieceDelayMs ?? 0;
  const includeUsage = reply.usageChunk === 'always' || asksForUsage(request);
  const events = streamEvents(
    wireReply(request.model, reply, choicesAskedFor(request)),
    includeUsage,
  );
  response.writeHead(200, { ...SSE_HEADERS, ...reply.headers });
  response.flushHeaders();
  const { end = 'done' } = reply;
  if (end === 'done') {
    await writeAll(stage, events, delayMs);
    response.end(SSE_DONE);
    request.bytesWritten += SSE_DONE.length;
    return;
  }
  await writeAll(stage, take(events, reply.cutAfterEvents ?? Infinity), delayMs);
  if (end !== 'error_event') {
    await endAs(stage, end);
    return;
  }
  const error = { message: 'The model broke.', type: 'server_error', param: null, code: null };
  await writePiece(stage, sseEvent({ error: { ...error, ...reply.error } }));
  response.end();
}

async function playWhole(stage: Stage, reply: Reply): Promise<void> {
  const { request, response } = stage;
  const text = JSON.stringify(
    completionObject(wireReply(request.model, reply, choicesAskedFor(request))),
  );
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...reply.headers,
  });
  const { end = 'done' } = reply;
  if (end === 'done') {
    request.firstByteAtMs = Date.now();
    request.bytesWritten += Buffer.byteLength(text);
    response.end(text);
    return;
  }
  await writePiece(stage, text.slice(0, text.length / 2));
  // Half a body under a full content-length can end in good order only by closing the connection.
  if (end === 'eof') response.socket?.end();
  else await endAs(stage, end === 'hang' ? 'hang' : 'reset');
}

async function playRaw(stage: Stage, reply: RawReply): Promise<void> {
  const { response } = stage;
  response.writeHead(reply.status ?? 200, {
    'content-type': reply.contentType ?? SSE_HEADERS['content-type'],
    ...reply.headers,
  });
  response.flushHeaders();
  await writeAll(stage, reply.pieces, reply.pieceDelayMs ?? 0);
  await endAs(stage, reply.end ?? 'eof');
}

async function playFlood(stage: Stage, flood: Flood): Promise<void> {
  const pieceBytes = flood.pieceBytes ?? FLOOD_PIECE_BYTES;
  const pieces = Math.ceil(flood.bytes / pieceBytes);
  const piece = 'x'.repeat(pieceBytes);
  const wire = wireReply(stage.request.model, { kind: 'reply', pieces: [] });
  // Lazily: a flood of gigabytes must not need gigabytes here.
  const repeated = {
    *[Symbol.iterator]() {
      for (let sent = 0; sent < pieces; sent += 1) yield piece;
    },
  };
  const usage = {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: pieces,
    total_tokens: PROMPT_TOKENS + pieces,
  };
  stage.response.writeHead(200, { ...SSE_HEADERS, ...flood.headers });
  const choices = [{ pieces: repeated, toolCalls: [], finishReason: 'stop' }];
  await writeAll(stage, streamEvents({ ...wire, usage, choices }, asksForUsage(stage.request)), 0);
  stage.response.end(SSE_DONE);
}

function playStatus({ request, response }: Stage, reply: Behaviour & { kind: 'status' }): void {
  const error = { message: `Fake ${String(reply.status)}.`, type: 'fake', param: null, code: null };
  const body = reply.body === undefined ? { error } : reply.body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(reply.status, {
    'content-type': reply.contentType ?? 'application/json',
    ...(reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter }),
    ...reply.headers,
  });
  request.firstByteAtMs = Date.now();
  request.bytesWritten += Buffer.byteLength(text);
  response.end(text);
}

/** Answers a request as its behaviour says; resolves when there is nothing left to do. */
export async function play(stage: Stage, behaviour: Behaviour): Promise<void> {
  const { request } = stage;
  if ((behaviour.headersDelayMs ?? 0) > 0) await sleep(behaviour.headersDelayMs);
  if (stage.response.destroyed) return;
  const reply = (as: Reply): Promise<void> =>
    request.body?.['stream'] === true ? playStream(stage, as) : playWhole(stage, as);
  switch (behaviour.kind) {
    case 'reply':
      await reply(behaviour);
      return;
    case 'echo': {
      const { method, path, headers, body } = request;
      await reply({ kind: 'reply', pieces: [JSON.stringify({ method, path, headers, body })] });
      return;
    }
    case 'raw':
      await playRaw(stage, behaviour);
      return;
    case 'flood':
      await playFlood(stage, behaviour);
      return;
    case 'status':
      playStatus(stage, behaviour);
  }
}
