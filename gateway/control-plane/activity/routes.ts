import type { REQUEST_ROUTES } from '@weir/shared/api/admin-routes/requests';
import type { ActivityList } from '@weir/shared/watch/activity';
import type { Call, HandlersOf } from '../api/call.ts';
import { ownUsage } from '../usage/whose-usage.ts';
import { readActivity } from './read-activity.ts';

type Table = Pick<typeof REQUEST_ROUTES, 'listActivities' | 'listOwnKeyActivities'>;

export const activityHandlers: HandlersOf<Table> = {
  listActivities: ({ context, query }) =>
    readActivity(context.pool, query.kind, query.ids.split(',')),
  listOwnKeyActivities,
};

const OWN = `
  select id from keys
  where id = any ($1) and account_id = $2 and ($3::bigint is null or member_id = $3)`;

/** Keys that the caller does not see are left out, as if they did not exist. */
async function listOwnKeyActivities({
  context,
  query,
  caller,
}: Call<'listOwnKeyActivities'>): Promise<ActivityList> {
  const asked = query.ids.split(',');
  const { accountId, ownMemberId: memberId = null } = ownUsage(caller);
  const { rows } = await context.pool.query<{ id: string }>(OWN, [asked, accountId, memberId]);
  const own = new Set(rows.map(({ id }) => id));
  return readActivity(
    context.pool,
    'key',
    asked.filter((id) => own.has(id)),
  );
}
