/**
 * Sessions over WebSocket: client and upstream exchange events, and the upstream's replies are
 * billed one by one.
 */
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { ParsedRequest, RequestLimits } from './protocol.ts';

/** One thing in a session that has a bill of its own: a reply, or the transcript of some speech. */
export interface RealtimeTurn {
  /** The request that admission and billing read; its model is the one that is billed. */
  readonly request: ParsedRequest;
  /** The usage that the upstream reported; null until then. */
  readonly usage: TokenCounts | null;
  /** The upstream may never report it, and never be heard of it again: nothing waits for it. */
  readonly mayNotCome?: true;
  /** Some of `usage`, or all of what `countDelivered` returns, was measured here. */
  readonly isEstimate: boolean;
  /** Output tokens that were passed to the client so far, estimated. */
  readonly outputTokensEstimate: number;
  /** Counts of what was delivered, for an upstream that reports none; text is not among them. */
  countDelivered(): TokenCounts;
  /** The text that was passed to the client, to count its tokens. */
  deliveredText(): string;
}

/** An event of the client. */
export type ClientEvent =
  | { readonly kind: 'passes'; readonly frame: Buffer }
  /** It asks for a reply, and is sent once its money is held. */
  | {
      readonly kind: 'asks';
      readonly turn: RealtimeTurn;
      /** @param outputTokensCap to impose on the reply; null: the client's own limit is in force */
      readonly frameWith: (outputTokensCap: number | null) => Buffer;
    };

/** An event of the upstream. A turn that no earlier event named begins with it. */
export type UpstreamEvent =
  | { readonly kind: 'passes'; readonly frame: Buffer }
  /** Nothing for clients. */
  | { readonly kind: 'dropped' }
  | {
      readonly kind: 'begins' | 'delivers' | 'ends';
      readonly frame: Buffer;
      readonly turn: RealtimeTurn;
    }
  /** The upstream refuses what the client has asked for: no reply comes. */
  | { readonly kind: 'refuses'; readonly frame: Buffer; readonly turn: RealtimeTurn };

/** The place of a session. */
export interface RealtimeTerms {
  /** The public ID of the model. */
  readonly publicModel: string;
  readonly upstreamModel: string;
  readonly limits: RequestLimits;
  /** Returns the name of another model at the same upstream, if the key may use it. */
  upstreamNameOf(publicModel: string): string | Refusal;
}

/** A session as its protocol understands it; it holds what bills and later events depend on. */
export interface RealtimeConversation {
  /** A refusal goes to the client as `errorEvent`; the upstream does not get the event. */
  fromClient(frame: Buffer): ClientEvent | Refusal;
  fromUpstream(frame: Buffer): UpstreamEvent;
  /** The turn's money was refused: it was not asked for. */
  withdraw(turn: RealtimeTurn): void;
  /** @param answersLast the client's latest event is at fault */
  errorEvent(refusal: Refusal, requestId: string, answersLast: boolean): string;
  /** Returns the event that ends a turn at the upstream; undefined where none can. */
  cancelEvent(turn: RealtimeTurn): string | undefined;
}

/** A protocol's sessions. */
export interface RealtimeEndpoint {
  /** The subprotocol that the server chooses where a client offers it. */
  readonly subprotocol: string;
  /** Names and values in turn of headers that an upstream gets for what the client has sent. */
  upstreamHeaders(
    header: (lowerCaseName: string) => string,
    upstreamModel: string,
  ): readonly string[];
  begin(terms: RealtimeTerms): RealtimeConversation;
  /** Reports whether an upstream's first event says that it serves no session. */
  isFailure(frame: Buffer): boolean;
}
