import type { EventReader } from '../exchange-form.ts';
import type { ExchangeReply } from '../reply.ts';
import type { Restoration } from './fitted-request.ts';

/** A reply as the client's own request would have led to it. */
export function restoreReply(
  reply: ExchangeReply,
  _restoration: Restoration | null | undefined,
): ExchangeReply {
  return reply;
}

/** The same of a stream. */
export function restoreEvents(
  reader: EventReader,
  _restoration: Restoration | null | undefined,
): EventReader {
  return reader;
}
