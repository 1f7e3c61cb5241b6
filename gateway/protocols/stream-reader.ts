import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { StopCode } from '../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';

/**
 * The beginning of a reply that the client got to be kept alive by, while no upstream had any
 * content. What comes from an upstream then goes on under its id.
 */
export interface BegunReply {
  readonly id: string;
  readonly createdAtSeconds: number;
  /** The events that begin it. */
  readonly first: string;
  /** Keeps it alive from then on. */
  readonly again: string;
}

/**
 * Reads an upstream's stream: bytes for the client, and what relay and billing must know of them.
 */
export interface StreamReader {
  /**
   * Takes bytes as they came and returns the bytes for the client, which may be none. The terminal
   * event is never among them: it is sent when the request is settled.
   */
  push(chunk: Buffer): Uint8Array;
  /** `push` keeps no reference to a chunk: what it returns of it is sent at once. */
  readonly keepsNoChunk?: boolean;
  /** The upstream has closed the stream: returns what an unfinished last event still gives. */
  flush(): Uint8Array;
  /** Content, a tool call or reasoning has been among the bytes. */
  readonly hasContent: boolean;
  /** Every choice that began has ended. */
  readonly finished: boolean;
  /**
   * The upstream had made all of the reply before its first byte: the report is awaited for a
   * client that leaves.
   */
  readonly isMade?: boolean;
  /** Every choice that was asked for has ended: nothing more of the reply can come. */
  readonly whole: boolean;
  /** The upstream's terminal event has come. */
  readonly done: boolean;
  /**
   * An error event, or something that is not a stream of this protocol; nothing after it is read.
   */
  readonly failure: UpstreamFailure | null;
  /** See `Reply.isFree`. */
  readonly isFree?: boolean;
  /**
   * The usage that the upstream reported for the whole reply, null until it did; `capUsage` makes
   * it fit to be billed.
   */
  readonly usage: TokenCounts | null;
  /**
   * The prompt as the upstream reported it, also when its report covers no output: at the beginning
   * of a stream whose rest never came. What was read from a cache is known from there alone.
   */
  readonly promptUsage: TokenCounts | null;
  /** Output tokens so far, over all choices, estimated without a tokenizer. */
  readonly outputTokensEstimate: number;
  /** All output so far, to count its tokens when the upstream reports none. */
  deliveredText(): string;
  /**
   * Bytes that keep the stream alive here, for clients that do not count the protocol's own ones.
   * Undefined: those of the protocol.
   */
  keepAlive?(): string | undefined;
  /**
   * Makes the reply go on where the client has one that has begun. Returns what was read before as
   * the client is to get it.
   * @param kept what was read and not sent yet
   */
  continueReply?(begun: BegunReply, kept: Uint8Array): Uint8Array;
  /** Ends every open choice as one that has reached its limit. */
  cutShort(): string;
  /** The last event of a reply that cannot be completed. */
  errorEvent(code: StopCode | 'upstream_error'): string;
  /**
   * The terminal event of a whole reply, with the usage that the client asked for: these counts, or
   * for null what the upstream reported.
   */
  endMarker(counted: TokenCounts | null): string;
}

/** The message that a client gets when its reply is cut short, in whatever dialect. */
export const CUT_SHORT_MESSAGES = {
  insufficient_balance:
    'The balance ran out during this reply; what was delivered has been charged. Top up or activate a plan in the console.',
  account_budget_exceeded:
    'The budget of this account ran out during this reply; what was delivered has been charged. An owner or administrator of the account can raise it in the console.',
  team_budget_exceeded:
    'The budget of your team ran out during this reply; what was delivered has been charged. An owner or administrator of the account can raise it in the console.',
  member_budget_exceeded:
    'Your own budget in this account ran out during this reply; what was delivered has been charged. An owner or administrator of the account can raise it in the console.',
  key_budget_exceeded:
    'The budget of this API key ran out during this reply; what was delivered has been charged. Raise it on the console’s API Keys page or use another key.',
  ledger_unavailable:
    'The ledger could not be reached during this reply, so the rest of it could not be paid for; what was delivered has been charged. Try again shortly.',
  upstream_error:
    'The upstream broke off during this reply; what was delivered has been charged. Try again.',
} as const satisfies Record<StopCode | 'upstream_error', string>;
