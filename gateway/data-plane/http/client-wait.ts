import type { HttpResponse } from 'uWebSockets.js';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Ticker, Ticking } from '../../platform/event-loop/ticker.ts';

/** The methods of a uWS response that are needed here. */
type Waiting = Pick<HttpResponse, 'pause' | 'resume'> & { close(): unknown };

/**
 * A client that has taken nothing for so long gets no more. The kernel asks for more only when a
 * third of what it holds, up to 4 MiB, has arrived: one that reads 16 KiB a second takes so much in
 * 85 s.
 */
const STUCK_MS_MAX = 120_000;

/**
 * Waits for one client to send its body or to read its reply. uWS closes a connection on
 * which too little moves for 10 s, and has no setting for it: its timer is restarted every second,
 * and Weir's own limits decide.
 */
export class ClientWait implements Ticking {
  place = -1;
  readonly #res: Waiting;
  readonly #ticker: Ticker;
  #stuckSinceMs = Infinity;

  constructor(res: Waiting, ticker: Ticker) {
    this.#res = res;
    this.#ticker = ticker;
  }

  /** Waits for the rest of the body; its reader limits the time. */
  forBody(): void {
    if (this.place === -1) this.#ticker.add(this);
  }

  /** Until the client has taken more of what was written. */
  forReader(): void {
    this.#stuckSinceMs = steadyNowMs();
    if (this.place === -1) this.#ticker.add(this);
  }

  /**
   * To be called before uWS frees the response, and once a body is there: uWS waits for the reply
   * without a limit.
   */
  end(): void {
    this.#stuckSinceMs = Infinity;
    this.#ticker.remove(this);
  }

  tick(nowMs: number): void {
    if (nowMs - this.#stuckSinceMs >= STUCK_MS_MAX) {
      this.#res.close();
      return;
    }
    // As a pair they change nothing but uWS's time-out. The second alone would end the reading for
    // good.
    this.#res.pause();
    this.#res.resume();
  }
}
