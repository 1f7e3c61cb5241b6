import type { StopReason } from '../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { ReplyForms } from '../../protocols/protocol.ts';
import type { BegunReply, StreamReader } from '../../protocols/stream-reader.ts';
import type { UpstreamBody } from './upstream-body.ts';

/** The client's side of a stream. */
export interface StreamClient {
  /** Sends the head and the first bytes. Like `write`, false means: wait for `onWritable`. */
  startStream(first: string | Uint8Array): boolean;
  write(chunk: string | Uint8Array): boolean;
  onWritable(listener: () => void): void;
  /**
   * Bytes that keep the stream alive while the reader has none of its own. They may begin the
   * reply: see `begunReply`.
   */
  keepAlive(): string;
  readonly begunReply: BegunReply | null;
  /** The upstream's first content has come. */
  contentBegins(): void;
}

/** Keeps the reply paid for; see admission/hold-meter.ts. */
export interface StreamMeter {
  delivered(outputTokens: number): void;
  readonly mustWait: boolean;
  /** The reason why the reply must end here; null while it may go on. */
  readonly stopCode: StopReason | null;
  onAnswer(listener: () => void): void;
}

export type StreamEnd =
  /**
   * The whole reply has been sent except its end marker. The body may not have ended, and may be
   * paused: the caller drops the rest.
   */
  | { readonly kind: 'completed' }
  /** Money ran out; the upstream is to be aborted. */
  | { readonly kind: 'funds_exhausted'; readonly last: string }
  /**
   * The ledger stayed away, or has lost the hold: whether there is money for more is unknown.
   */
  | { readonly kind: 'ledger_unavailable'; readonly last: string }
  /** The upstream broke off after the client had seen something. */
  | {
      readonly kind: 'upstream_disconnected';
      readonly last: string;
      readonly failure: UpstreamFailure;
    }
  /**
   * The upstream failed and the client has seen nothing of its reply: another channel can be tried.
   */
  | { readonly kind: 'nothing_sent'; readonly failure: UpstreamFailure }
  | { readonly kind: 'client_disconnected' };

/** A reply that passes while it comes. */
export interface RelayedReply {
  readonly body: UpstreamBody;
  readonly reader: StreamReader;
  /** Makes a stream of a whole reply; absent: no stream was asked for. */
  readonly forms?: ReplyForms;
}

export interface StreamRelayOptions extends RelayedReply {
  readonly client: StreamClient;
  /** The largest reply that is taken whole where a stream was asked for. */
  readonly replyBytesMax: number;
  readonly meter: StreamMeter;
  readonly keepAliveMs: number;
  /** The client has got a head and comments from an attempt before this one. */
  readonly started: boolean;
  /** The time of the last write to the client, or the time at which it began to wait. */
  readonly lastWriteAtMs: number;
}
