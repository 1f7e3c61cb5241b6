/**
 * Translates a request for upstreams of another protocol than its client's: it is read once, and
 * written for each attempt.
 */
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { Encoded, ParsedRequest, Target } from '../../protocol.ts';
import type { EmbeddingRequest } from './embedding.ts';
import type { NeutralRequest } from '../request.ts';

export type TranslatableRequest = NeutralRequest | EmbeddingRequest;

export interface Translation<Neutral extends TranslatableRequest = TranslatableRequest> {
  /**
   * Reads a client's request into the neutral form, which is the same for all upstreams. A refusal
   * names the field that the neutral form cannot carry.
   */
  read(request: ParsedRequest): Neutral | Refusal;
  /** Writes the body for one target. A refusal names what its upstream cannot do. */
  write(neutral: Neutral, target: Target): WrittenRequest | Refusal;
  /** Returns what the client calls a field that it has sent; undefined if it has sent none. */
  clientName?(field: keyof NeutralRequest, neutral: Neutral): string | undefined;
}

/** A translated request; see `Encoded`. */
export interface WrittenRequest extends Omit<Encoded, 'body'> {
  readonly body: OwnJsonObject;
}

/** Reads and writes at once. */
export function encodeWith<Neutral extends TranslatableRequest>(
  translation: Translation<Neutral>,
  request: ParsedRequest,
  target: Target,
): Encoded | Refusal {
  const neutral = translation.read(request);
  if (isRefusal(neutral)) return neutral;
  const written = translation.write(neutral, target);
  return isRefusal(written) ? written : encoded(written, target.allocate);
}

/** Returns a translated request as it is sent. */
export function encoded(written: WrittenRequest, allocate: Target['allocate']): Encoded {
  const text = JSON.stringify(written.body);
  const bytes = allocate(Buffer.byteLength(text));
  bytes.write(text);
  return { ...written, body: bytes };
}
