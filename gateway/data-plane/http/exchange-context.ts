import type { Ticker } from '../../platform/event-loop/ticker.ts';
import type { SocketHandler } from './client-socket.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The state that all exchanges of one listener share. */
export interface ListenerState {
  /**
   * Every reply closes its connection: after shutdown began, or because the operator wants it so.
   */
  closing: boolean;
  /** Requests that have not been answered in full. */
  inFlight: number;
  /** The open WebSockets. */
  readonly sockets: Set<SocketHandler>;
  /** Calls exchanges that wait for their client. */
  readonly ticker: Ticker;
  /**
   * Headers of every reply to a page in a browser; programs send no Origin and need none of them.
   */
  readonly crossOriginHeaders: HeaderList;
}
