import type { HttpResponse } from 'uWebSockets.js';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { ClientWait } from '../client-wait.ts';
import type { ChunkedEnd } from './chunked-end.ts';
import type { BodyCollector } from './incoming-body.ts';

interface Receiving<Body> {
  readonly res: Pick<HttpResponse, 'onData'>;
  readonly body: BodyCollector<Body>;
  readonly timeoutMs: number;
  /** The end of a body that comes in chunks; undefined for others. */
  readonly chunks: ChunkedEnd | undefined;
  readonly wait: () => ClientWait;
  /** Called once, when no more of the body is taken in. */
  readonly onEnd: () => void;
}

/**
 * Takes in the body of a request as it comes. `drop` refuses it as too late, and does nothing once
 * it is over.
 */
export function receiveBody<Body>({ res, body, timeoutMs, chunks, wait, onEnd }: Receiving<Body>): {
  readonly received: Promise<Body | Refusal>;
  readonly drop: () => void;
} {
  const { promise: received, resolve } = Promise.withResolvers<Body | Refusal>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const settle = (result: Body | Refusal | Promise<Body | Refusal>): void => {
    isOver = true;
    clearTimeout(timer);
    onEnd();
    if (timer !== undefined) wait().end();
    body.close();
    resolve(result);
  };
  const drop = (): void => {
    if (!isOver) settle(refuse('request_timeout'));
  };
  if (chunks !== undefined) chunks.watched = true;
  res.onData((chunk, isLast) => {
    // What is behind a chunked body in the same packet must still find it unanswered.
    chunks?.chunk(isLast, () => {
      if (!isOver) settle(body.take());
    });
    // uWS continues with what it receives, whether the request is refused or not.
    if (isOver) return;
    if (timer === undefined && !isLast) {
      timer = setTimeout(drop, timeoutMs);
      wait().forBody();
    }
    const refused = body.append(chunk);
    if (refused !== undefined) settle(refused);
    else if (isLast && chunks === undefined) settle(body.take());
  });
  return { received, drop };
}
