import type { SubscriptionAdminListQuery } from '@weir/shared/money/subscriptions';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { SUBSCRIPTION_COLUMNS, SUBSCRIPTION_TABLES } from './subscription-row.ts';

/** Microseconds since 1970: a time in a cursor must be exact. */
const ENDS_US = '(extract(epoch from s.ends_at) * 1000000)::bigint';

/** Subscriptions of one account or of all. */
export const SUBSCRIPTION_LIST: SortedList<
  Pick<SubscriptionAdminListQuery, 'accountId' | 'planId' | 'status'>
> = {
  select: SUBSCRIPTION_COLUMNS,
  tables: SUBSCRIPTION_TABLES,
  from: 'subscriptions s',
  id: 's.id',
  sort: '-created',
  columns: {
    created: byCreation('s.id'),
    ends: {
      expression: ENDS_US,
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
    plan: {
      expression: 'lower(p.name)',
      type: 'text',
      shape: TEXT_SHAPE,
      join: () => 'join plans p on p.id = s.plan_id',
    },
  },
  filter(conditions, { accountId, planId, status }) {
    conditions.equal('s.account_id', accountId);
    conditions.equal('s.plan_id', planId);
    conditions.equal('s.status', status);
  },
};
