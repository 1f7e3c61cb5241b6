/**
 * How a request goes to upstreams of another protocol than its client's: it is read once, and
 * written for each attempt.
 */
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../platform/json/json-value.ts';
import type { ParsedRequest, Target } from '../protocol.ts';
import type { EmbeddingRequest } from './embedding.ts';
import type { ExchangeRequest } from './request.ts';

export type NeutralRequest = ExchangeRequest | EmbeddingRequest;

export interface Translation<Neutral extends NeutralRequest = NeutralRequest> {
  /**
   * Reads a client's request into the neutral form, which is the same for all upstreams. A refusal
   * names the field that the neutral form cannot carry.
   */
  read(request: ParsedRequest): Neutral | Refusal;
  /** Writes the body for one target. A refusal names what its upstream cannot do. */
  write(neutral: Neutral, target: Target): OwnJsonObject | Refusal;
}

/** Reads and writes at once. */
export function encodeWith<Neutral extends NeutralRequest>(
  translation: Translation<Neutral>,
  request: ParsedRequest,
  target: Target,
): Buffer | Refusal {
  const neutral = translation.read(request);
  if (isRefusal(neutral)) return neutral;
  const body = translation.write(neutral, target);
  return isRefusal(body) ? body : bodyBytes(body, target.allocate);
}

/** Returns a translated body as it is sent. */
export function bodyBytes(body: OwnJsonObject, allocate: Target['allocate']): Buffer {
  const text = JSON.stringify(body);
  const bytes = allocate(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
