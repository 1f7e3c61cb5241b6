import type { TokenCounts } from '@weir/shared/usage-record';
import type { StopCode } from '../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';

/** What a protocol makes of an upstream's stream: bytes for the client, and what the relay must know about them. */
export interface StreamTranslator {
  /**
   * Takes bytes as they came and answers the bytes for the client, which may be none. The end marker is never
   * among them: it is sent when the request is settled.
   */
  push(chunk: Buffer): Uint8Array;
  /** The upstream has closed the stream: answers what an unfinished last event still gives. */
  flush(): Uint8Array;
  /** Content, a tool call or reasoning has been among the answers. */
  readonly hasContent: boolean;
  /** Every choice that began has its finish_reason. */
  readonly finished: boolean;
  /** Every choice that was asked for has its finish_reason. */
  readonly whole: boolean;
  /** The upstream's end marker has come. */
  readonly done: boolean;
  /** An error event, or something that is not a stream of this protocol; nothing after it is answered. */
  readonly failure: UpstreamFailure | null;
  /** What the upstream reported, null until it did. */
  readonly usage: TokenCounts | null;
  /** Output tokens so far, over all choices, estimated without a tokenizer. */
  readonly outputTokensEstimate: number;
  /** Ends every open choice with finish_reason "length". */
  cutShort(): string;
  /** An error event in the caller's dialect. */
  errorEvent(code: StopCode | 'upstream_error'): string;
}
