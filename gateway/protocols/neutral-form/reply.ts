/** The neutral form of a reply, whole or as the events of a stream. */
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { AssistantPart, MediaSource, UrlCitation } from './request.ts';
import type { Proof } from './proofs/proof.ts';

/** The reason why the model stopped. */
export type EndReason =
  /** It was done. */
  | 'stop'
  /** One of the client's stop sequences came. */
  | 'stop_sequence'
  /** The output limit was reached. */
  | 'length'
  /** The context was full. */
  | 'context_full'
  | 'tool_calls'
  /** The vendor's filter, or the model refused. */
  | 'content_filter';

/** The end of a reply, and the stop sequence that the upstream names for it. */
export interface NeutralEnd {
  readonly reason: EndReason;
  /** If the reason is `stop`, it may be one of the server's own that the client did not ask for. */
  readonly stopSequence?: string;
  /** See `Reply.isFree`. */
  readonly isFree?: boolean;
}

export interface NeutralReply extends Omit<NeutralEnd, 'reason'> {
  /** The vendor's id of the reply; empty when it has none. */
  readonly id: string;
  readonly parts: readonly AssistantPart[];
  /** Text of a refusal, apart from the content. */
  readonly refusal?: string;
  readonly end: EndReason;
  /** As the upstream reported it, null when it did not. */
  readonly usage: TokenCounts | null;
}

/**
 * One event of a stream. Text and reasoning come in pieces. Calls are numbered from 0 in the order
 * in which they begin; the pieces of several may come interleaved.
 */
export type NeutralEvent =
  | { readonly type: 'start'; readonly id: string }
  | { readonly type: 'text'; readonly text: string; readonly proof?: Proof }
  /** A citation of earlier text. */
  | { readonly type: 'citation'; readonly citation: UrlCitation }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The reasoning so far is complete and this is its proof. */
  | { readonly type: 'reasoning_proof'; readonly proof: Proof }
  | {
      readonly type: 'tool_call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly freeForm: boolean;
      readonly proof?: Proof;
    }
  | { readonly type: 'tool_input'; readonly index: number; readonly text: string }
  /** A whole image. */
  | { readonly type: 'image'; readonly source: MediaSource; readonly proof?: Proof }
  /** Counts so far; the last one is in force. */
  | { readonly type: 'usage'; readonly usage: TokenCounts }
  | ({ readonly type: 'end' } & NeutralEnd)
  /** The terminal event: nothing comes after it. */
  | { readonly type: 'done' }
  /** An error event, or something that is not an event of the protocol. */
  | { readonly type: 'failure'; readonly detail: string };
