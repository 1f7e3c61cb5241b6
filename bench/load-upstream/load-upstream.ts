/**
 * An upstream that costs next to nothing, in a process of its own, so that it is never what a
 * measurement is limited by. How it answers is told by the model's name; see reply-plan.ts.
 * Sends `{ port }` to its parent and ends with it.
 */
import { App, us_socket_local_port, type HttpResponse } from 'uWebSockets.js';
import { BEDROCK_STREAM } from './bedrock-bytes.ts';
import { CHAT_STREAM, CHAT_STREAM_WITH_USAGE, WHOLE_REPLY } from './chat-bytes.ts';
import { GEMINI_STREAM } from './gemini-bytes.ts';
import { sendImage, sendImageStream, sendSpeech } from './media-bytes.ts';
import { MESSAGES_STREAM } from './messages-bytes.ts';
import { PacedStreams } from './paced-streams.ts';
import { planFor, readPlan } from './reply-plan.ts';
import { serveSessions } from './realtime-bytes.ts';
import { RESPONSES_STREAM } from './responses-bytes.ts';
import type { StreamBytes } from './stream-bytes.ts';

/** A form has no model in JSON: all edits get the same small image. */
const EDITS_PATH = '/images/edits';
const EDITED_BYTES = 1_000;
const STREAMED = '"stream":true';
const INCLUDE_USAGE = '"include_usage":true';

const pacedStreams = new Map<number, PacedStreams>();

function paced(intervalMs: number): PacedStreams {
  let streams = pacedStreams.get(intervalMs);
  if (streams === undefined) {
    streams = new PacedStreams(intervalMs);
    pacedStreams.set(intervalMs, streams);
  }
  return streams;
}

function sendWhole(res: HttpResponse): void {
  res.cork(() => {
    res.writeHeader('content-type', 'application/json');
    res.end(WHOLE_REPLY);
  });
}

function sendLater(res: HttpResponse, delayMs: number): void {
  const timer = setTimeout(() => {
    sendWhole(res);
  }, delayMs);
  res.onAborted(() => {
    clearTimeout(timer);
  });
}

function hold(res: HttpResponse): void {
  res.onAborted(() => undefined);
  res.cork(() => {
    res.writeHeader('content-type', 'text/event-stream');
    res.write(CHAT_STREAM.beginning);
  });
}

/** Gemini and Bedrock name the model in the address. */
const GEMINI_PATH = /\/models\/([^:]+):/;
const BEDROCK_PATH = /\/model\/([^/]+)\/invoke-with-response-stream$/;

function streamBytes(path: string, beginning: Buffer): StreamBytes {
  if (path.endsWith('/messages')) return MESSAGES_STREAM;
  if (path.endsWith('/responses')) return RESPONSES_STREAM;
  if (GEMINI_PATH.test(path)) return GEMINI_STREAM;
  if (BEDROCK_PATH.test(path)) return BEDROCK_STREAM;
  return beginning.includes(INCLUDE_USAGE) ? CHAT_STREAM_WITH_USAGE : CHAT_STREAM;
}

/** Answers as the path and the beginning of the body ask. */
function answer(res: HttpResponse, path: string, beginning: Buffer): void {
  if (path.endsWith(EDITS_PATH)) {
    sendImage(res, EDITED_BYTES);
    return;
  }
  const model = (GEMINI_PATH.exec(path) ?? BEDROCK_PATH.exec(path))?.[1];
  const plan = model === undefined ? readPlan(beginning) : planFor(model);
  if (plan.kind === 'stream') {
    paced(plan.intervalMs).start(res, plan.chunks, streamBytes(path, beginning));
  } else if (plan.kind === 'hold') hold(res);
  else if (plan.kind === 'image') {
    if (beginning.includes(STREAMED)) sendImageStream(res, plan.bytes);
    else sendImage(res, plan.bytes);
  } else if (plan.kind === 'speech') sendSpeech(res, plan.bytes);
  else if (plan.delayMs > 0) sendLater(res, plan.delayMs);
  else sendWhole(res);
}

const app = App();
serveSessions(app);
app
  .any('/*', (res, req) => {
    const path = req.getUrl();
    let aborted = false;
    let beginning: Buffer | undefined;
    res.onAborted(() => {
      aborted = true;
    });
    res.onData((bytes, isLast) => {
      if (aborted) return;
      // uWS takes the memory back when this function returns, so what outlives it is copied.
      if (isLast) answer(res, path, beginning ?? Buffer.from(bytes));
      else beginning ??= Buffer.from(Buffer.from(bytes));
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('The load upstream cannot listen.');
    process.send?.({ port: us_socket_local_port(socket) });
  });

process.once('disconnect', () => process.exit(0));
