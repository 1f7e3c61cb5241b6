import {
  App,
  us_listen_socket_close,
  us_socket_local_port,
  type HttpResponse,
} from 'uWebSockets.js';
import { completionObject, SSE_DONE, streamEvents } from '../../gateway/demo/chat-wire.ts';
import { behaviourFromModel, DEFAULT_BEHAVIOUR } from './behaviour.ts';
import { wireReply } from './wire-reply.ts';

/**
 * The fake upstream for load: the same replies as the node:http one at a fraction of its CPU, so that a
 * benchmark on few cores measures the gateway. It knows replies only, scripted by the model name
 * (`fake:pieces=20,delay=10`), takes them from a cache and records nothing but counts.
 */
export interface UwsUpstream {
  readonly url: string;
  readonly port: number;
  /** Requests answered so far. */
  requests(): number;
  close(): void;
}

/** Everything that depends on the model name and two flags, made once. */
interface Prepared {
  readonly body: string;
  readonly events: readonly string[];
  readonly wholeStream: string;
  readonly delayMs: number;
  /** False for scripts that only the node:http fake plays: better a 501 than a benchmark of something else. */
  readonly supported: boolean;
}

const PREPARED_MAX = 1_000;

function prepare(model: string, includeUsage: boolean): Prepared {
  const scripted = behaviourFromModel(model);
  const reply = scripted?.kind === 'reply' ? scripted : DEFAULT_BEHAVIOUR;
  const events = [...streamEvents(wireReply(model, reply), includeUsage), SSE_DONE];
  return {
    body: JSON.stringify(completionObject(wireReply(model, reply))),
    events,
    wholeStream: events.join(''),
    delayMs: reply.pieceDelayMs ?? 0,
    supported: scripted === undefined || scripted.kind === 'reply',
  };
}

/** The two flags are looked for as bytes: parsing every body would cost more than the reply does. */
const STREAM = /"stream"\s*:\s*true/;
const INCLUDE_USAGE = /"include_usage"\s*:\s*true/;
const MODEL = /"model"\s*:\s*"([^"]*)"/;

/** One request being answered. A response that was aborted must not be touched again. */
interface Turn {
  readonly res: HttpResponse;
  aborted: boolean;
  timer: NodeJS.Timeout | undefined;
}

function sendSlowly(turn: Turn, { events, delayMs }: Prepared): void {
  let next = 1;
  turn.timer = setInterval(() => {
    const event = events[next] ?? '';
    next += 1;
    const isLast = next >= events.length;
    if (isLast) clearInterval(turn.timer);
    turn.res.cork(() => {
      if (isLast) turn.res.end(event);
      else turn.res.write(event);
    });
  }, delayMs);
}

function answer(turn: Turn, prepared: Prepared, stream: boolean): void {
  const { res } = turn;
  const slowly = stream && prepared.delayMs > 0;
  res.cork(() => {
    if (!prepared.supported) res.writeStatus('501 Not Implemented');
    res.writeHeader('content-type', stream ? 'text/event-stream' : 'application/json');
    if (!stream) res.end(prepared.body);
    else if (slowly) res.write(prepared.events[0] ?? '');
    else res.end(prepared.wholeStream);
  });
  if (slowly) sendSlowly(turn, prepared);
}

/** Starts it on this thread. */
export function startUwsUpstream(port = 0): Promise<UwsUpstream> {
  const prepared = new Map<string, Prepared>();
  let requests = 0;

  function preparedFor(body: string): Prepared {
    const model = MODEL.exec(body)?.[1] ?? '';
    const includeUsage = INCLUDE_USAGE.test(body);
    const name = `${String(includeUsage)} ${model}`;
    let found = prepared.get(name);
    if (found === undefined) {
      if (prepared.size >= PREPARED_MAX) prepared.clear();
      found = prepare(model, includeUsage);
      prepared.set(name, found);
    }
    return found;
  }

  const app = App();
  app.post('/v1/chat/completions', (res) => {
    const turn: Turn = { res, aborted: false, timer: undefined };
    res.onAborted(() => {
      turn.aborted = true;
      clearInterval(turn.timer);
    });
    const pieces: Buffer[] = [];
    res.onData((piece, isLast) => {
      // uWebSockets.js takes the memory back after this call, so the bytes are copied.
      pieces.push(Buffer.from(new Uint8Array(piece)));
      if (!isLast || turn.aborted) return;
      const body = Buffer.concat(pieces).toString('latin1');
      requests += 1;
      answer(turn, preparedFor(body), STREAM.test(body));
    });
  });
  app.any('/*', (res) => {
    res.writeStatus('404 Not Found').end('{"error":{"message":"No such path."}}');
  });
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', port, (socket) => {
      if (socket === false) {
        reject(new Error(`Port ${String(port)} cannot be used.`));
        return;
      }
      resolve({
        url: `http://127.0.0.1:${String(us_socket_local_port(socket))}/v1`,
        port: us_socket_local_port(socket),
        requests: () => requests,
        close: () => {
          us_listen_socket_close(socket);
          app.close();
        },
      });
    });
  });
}
