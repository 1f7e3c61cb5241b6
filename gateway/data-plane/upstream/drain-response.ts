import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Ticker, Ticking } from '../../platform/event-loop/ticker.ts';
import type { BodySink, UpstreamCall } from './upstream-call.ts';

/**
 * The time that an upstream has to end a reply whose content is complete. A round trip is enough
 * for those that end it at all.
 */
export const DRAIN_MS_MAX = 2_000;
/** The bytes that it may send meanwhile; after the end marker there is nothing to say. */
export const DRAIN_BYTES_MAX = 64 * 1024;

/**
 * Reads and drops what still comes of a reply whose every word has been relayed, so that its
 * connection can be used again. A reply may have been paused on its last packet, for a slow client
 * or for money: left so, undici would never see its end nor that the upstream has closed, and each
 * such reply would take a connection from the pool for good. An upstream that does not come to an
 * end is cut off.
 */
export function drainResponse(call: UpstreamCall, ticker: Ticker): void {
  if (call.over) return;
  call.attach(new Rest(call, ticker));
  call.resume();
}

class Rest implements BodySink, Ticking {
  place = -1;
  readonly #call: UpstreamCall;
  readonly #ticker: Ticker;
  readonly #endsAtMs = steadyNowMs() + DRAIN_MS_MAX;
  #bytes = 0;

  constructor(call: UpstreamCall, ticker: Ticker) {
    this.#call = call;
    this.#ticker = ticker;
    ticker.add(this);
  }

  data(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > DRAIN_BYTES_MAX) this.#cutOff();
  }

  end(): void {
    this.#ticker.remove(this);
  }

  failure(): void {
    this.#ticker.remove(this);
  }

  tick(nowMs: number): void {
    if (nowMs >= this.#endsAtMs) this.#cutOff();
  }

  #cutOff(): void {
    this.#call.abort({ failed: 'aborted', detail: 'the reply was whole and did not end' });
  }
}
