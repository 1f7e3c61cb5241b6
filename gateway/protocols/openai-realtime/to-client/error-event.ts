import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../../platform/errors/refusal.ts';

/** Returns a refusal as an `error` event. @param clientEventId of the event at fault; null: none */
export function errorEvent(
  refusal: Refusal,
  requestId: string,
  clientEventId: string | null,
): string {
  const { type } = ERROR_CATALOGUE[refusal.refused];
  return JSON.stringify({
    type: 'error',
    event_id: `event_${requestId.replaceAll('-', '')}`,
    error: {
      type,
      code: refusal.refused,
      message: refusal.message,
      param: refusal.param,
      event_id: clientEventId,
    },
  });
}
