import type { REQUEST_ROUTES } from '@weir/shared/admin-routes/requests';
import type { RequestAdminListQuery } from '@weir/shared/requests';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor, UUID_SHAPE } from '../api/cursor.ts';
import { refuseBackwards } from '../api/period.ts';
import type { Database } from '../api/transaction.ts';
import { getTraffic } from '../traffic/traffic.ts';
import { findRequest, findRequests } from './find-requests.ts';
import { requestAdminView, requestView, type RequestRow } from './request-row.ts';

const UNKNOWN = refuse(
  'not_found',
  'The request log has no entry for this id. A request appears about two seconds after its end, and old ones are dropped after some days.',
);

export const requestHandlers: HandlersOf<typeof REQUEST_ROUTES> = {
  listOwnRequests: ({ context, query, caller }) =>
    readPage(context.pool, { ...query, accountId: caller.accountId }, requestView),
  getOwnRequest: async ({ context, params, caller }) => {
    const row = await findRequest(context.pool, params.requestId);
    return row?.accountId === caller.accountId ? requestView(row) : UNKNOWN;
  },
  listRequests: ({ context, query }) => readPage(context.pool, query, requestAdminView),
  getRequest: async ({ context, params }) => {
    const row = await findRequest(context.pool, params.requestId);
    return row === undefined ? UNKNOWN : requestAdminView(row);
  },
  getTraffic: ({ context, query }) => getTraffic(context.pool, query),
};

async function readPage<View>(
  db: Database,
  { cursor, limit: _limit, ...filter }: RequestAdminListQuery,
  view: (row: RequestRow) => View,
): Promise<{ data: View[]; nextCursor: string | null } | Refusal> {
  const backwards = refuseBackwards(filter);
  if (backwards !== undefined) return backwards;
  const key = readCursor(cursor, [INTEGER_SHAPE, UUID_SHAPE]);
  if (key !== undefined && 'refused' in key) return key;
  const limit = pageLimit(_limit === undefined ? {} : { limit: _limit });
  const [atUs = '', requestId = ''] = key ?? [];
  const after = key === undefined ? null : { atUs, requestId };
  const rows = await findRequests(db, filter, { after, limit: limit + 1 });
  return pageOf(rows, { limit, view, sortKey: (row) => [row.atUs, row.requestId] });
}
