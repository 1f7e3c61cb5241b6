import { ID_LATER_MS_MAX } from '@weir/shared/watch/request-ids';

/**
 * The condition that a row of `requests r` may be that of an id with this time. It names the
 * partition, too.
 */
export function cameAt(idTime: string): string {
  return `r.created_at between from_ms(${idTime}::bigint - ${String(ID_LATER_MS_MAX)}) and from_ms(${idTime})`;
}
