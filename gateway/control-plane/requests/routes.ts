import type { REQUEST_ROUTES } from '@weir/shared/api/admin-routes/requests';
import type { TrafficView } from '@weir/shared/watch/operations';
import type { RequestAdminListQuery } from '@weir/shared/watch/requests';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor, UUID_SHAPE } from '../api/lists/cursor.ts';
import { refuseBackwards } from '../api/lists/period.ts';
import { activityHandlers } from '../activity/routes.ts';
import { getDashboard } from '../dashboard/dashboard.ts';
import { NO_KEY } from '../keys/read-keys.ts';
import { findKey } from '../keys/key-row.ts';
import type { Database } from '../api/transaction.ts';
import { isOwnUsage, ownUsage, type UsageScope } from '../usage/whose-usage.ts';
import { getTraffic } from '../traffic/traffic.ts';
import { findRequest, findRequests } from './find-requests.ts';
import { requestAdminView, requestView, type RequestRow } from './request-row.ts';
import { sortValue } from './request-sort.ts';

const UNKNOWN = refuse(
  'not_found',
  'The request log has no entry for this id. A request appears about two seconds after its end, and old ones are dropped after some days.',
);

export const requestHandlers: HandlersOf<typeof REQUEST_ROUTES> = {
  ...activityHandlers,
  getDashboard,
  getOwnTraffic,
  listOwnRequests: ({ context, query, caller }) =>
    readPage(context.pool, { ...query, ...ownUsage(caller) }, requestView),
  getOwnRequest: async ({ context, params, caller }) => {
    const row = await findRequest(context.pool, params.requestId);
    const isOwn = row !== undefined && (await isOwnUsage(context.pool, caller, row));
    return isOwn ? requestView(row) : UNKNOWN;
  },
  listRequests: ({ context, query }) => readPage(context.pool, query, requestAdminView),
  getRequest: async ({ context, params }) => {
    const row = await findRequest(context.pool, params.requestId);
    return row === undefined ? UNKNOWN : requestAdminView(row);
  },
  getTraffic: ({ context, query }) => getTraffic(context.pool, query),
};

/** The sums of a key do not say whose it is, so it is asked for first. */
async function getOwnTraffic({
  context: { pool },
  query,
  caller,
}: Call<'getOwnTraffic'>): Promise<TrafficView | Refusal> {
  const { keyId } = query;
  const scope = ownUsage(caller);
  if (keyId === undefined) return getTraffic(pool, { ...query, ...scope });
  const { accountId } = caller;
  const key = await findKey(pool, { keyId, accountId, memberId: scope.ownMemberId ?? null });
  return key === undefined ? NO_KEY : getTraffic(pool, query);
}

async function readPage<View>(
  db: Database,
  query: RequestAdminListQuery & UsageScope,
  view: (row: RequestRow) => View,
) {
  const { cursor, limit: asked, sort = '-created', ...filter } = query;
  const backwards = refuseBackwards(filter);
  if (backwards !== undefined) return backwards;
  const key = readCursor(cursor, [new RegExp(`^${sort}$`), INTEGER_SHAPE, UUID_SHAPE]);
  if (key !== undefined && 'refused' in key) return key;
  const [, value = '', requestId = ''] = key ?? [];
  const after = key === undefined ? null : { value, requestId };
  const limit = pageLimit(asked === undefined ? {} : { limit: asked });
  const rows = await findRequests(db, filter, { sort, after, limit: limit + 1 });
  return pageOf(rows, {
    limit,
    view,
    sortKey: (row) => [sort, sortValue(sort, row), row.requestId],
  });
}
