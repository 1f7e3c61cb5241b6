import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { BulkChangeLinePage } from '@weir/shared/api/bulk-changes';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor } from '../api/lists/cursor.ts';
import { findBulkChange, findLines } from './bulk-lines.ts';

/** Those that change something are with what they change. */
export const bulkChangeHandlers: HandlersOf<Pick<typeof BULK_ROUTES, 'listBulkChangeLines'>> = {
  listBulkChangeLines,
};

async function listBulkChangeLines(
  call: Call<'listBulkChangeLines'>,
): Promise<BulkChangeLinePage | Refusal> {
  const { context, params, query } = call;
  const after = readCursor(query.cursor, [INTEGER_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  if ((await findBulkChange(context.pool, params.bulkChangeId)) === undefined) {
    return refuse('not_found', 'There is no such bulk change.');
  }
  const limit = pageLimit(query);
  const page = { after: Number(after?.[0] ?? 0), limit: limit + 1 };
  return pageOf(await findLines(context.pool, params.bulkChangeId, page), {
    limit,
    view: ({ id, name, before, after: then }) => ({ id, name, before, after: then }),
    sortKey: ({ position }) => [String(position)],
  });
}
