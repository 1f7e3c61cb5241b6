/** The neutral form of a request for embeddings and of its reply. */
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { ParsedRequest, Target } from '../../protocol.ts';

/** A text, or the numbers of its tokens in a tokenizer that the client has chosen. */
export type EmbeddingInput = string | readonly number[];

export interface EmbeddingRequest {
  /** Each gets one vector, in this order. */
  readonly inputs: readonly EmbeddingInput[];
  /** Numbers of each vector; undefined: as many as the model makes by itself. */
  readonly dimensions?: number | undefined;
}

export interface EmbeddingReply {
  /** In the order of the inputs. */
  readonly vectors: readonly (readonly number[])[];
  /** As the upstream reported it, null when it did not. */
  readonly usage: TokenCounts | null;
}

/** The upstream's side of a protocol that embeds. */
export interface UpstreamEmbeddingForm {
  /** The body for an upstream of this protocol. A refusal names what the protocol cannot do. */
  writeRequest(request: EmbeddingRequest, target: Target): OwnJsonObject | Refusal;
  /** An upstream's reply; undefined when it is none of this protocol. */
  readReply(body: Buffer): EmbeddingReply | undefined;
}

/** The members that a protocol that embeds adds to be translated. */
export interface EmbeddingForm<
  Request extends ParsedRequest = ParsedRequest,
> extends UpstreamEmbeddingForm {
  /** A client's request. A refusal names the field that the neutral form cannot carry. */
  readRequest(request: Request): EmbeddingRequest | Refusal;
  /** Returns the number of vectors that a client asks for. */
  inputsOf(request: Request): number;
  /** A reply for a client; the usage is what the client is shown. */
  writeReply(reply: EmbeddingReply, request: Request, usage: TokenCounts | null): Buffer;
}

/** Returns a value as a vector; undefined when it is none. */
export function vectorOf(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  // A number that is too large to be one would become null.
  return value.every((one) => Number.isFinite(one)) ? value : undefined;
}
