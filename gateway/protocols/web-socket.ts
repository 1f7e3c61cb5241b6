/** Requests over WebSocket: a protocol reads a client's frames as requests of one endpoint. */
import type { Refusal } from '../platform/errors/refusal.ts';

/** A text frame as it was understood. */
export type SocketMessage =
  /** A request of the endpoint, with the body that POST would have. */
  | { readonly body: Buffer }
  /** It needs no upstream: these frames are the whole reply. */
  | { readonly frames: readonly string[] };

/** A reply that is no stream. */
export interface WholeReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/**
 * The requests and replies of one WebSocket, one after the other: `read` begins a turn, and
 * `frames` or `wholeReply` write its reply. What later frames may refer to is kept in memory, and
 * nowhere else.
 */
export interface SocketConversation {
  /** Bytes kept for the next frame. */
  readonly keptBytes: number;
  read(frame: Buffer): SocketMessage | Refusal;
  /** @param events whole server-sent events, keep-alive comments among them */
  frames(events: string | Uint8Array): readonly (string | Uint8Array)[];
  /** Returns the frame of a reply; of a turn, or of a frame that has become none. */
  wholeReply(reply: WholeReply): string;
  /** Called after a turn that failed. The client repeats what it has said: forgetting is safe. */
  forget(): void;
}
