import { wholeKeyIn } from '@weir/shared/people/key-text';
import type { KEY_ADMIN_FILTERS, KeyAdminListQuery } from '@weir/shared/people/keys';
import { keyDigests } from '../../platform/secrets/api-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { figureColumns } from '../activity/activity-sort.ts';
import type { Identity } from '../api/call.ts';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { KEY_COLUMNS, KEY_TABLES, ownKeys } from './key-row.ts';

/**
 * A whole key, such as one that was found in a public repository, leads to its owner by its digest.
 * The console asks for it in the body of a search.
 */
function digestsOf(secrets: Secrets, search: string): readonly Buffer[] {
  return keyDigests(secrets, wholeKeyIn(search) ?? search.trim());
}

export interface KeyFilter extends Pick<KeyAdminListQuery, keyof typeof KEY_ADMIN_FILTERS> {
  readonly memberId?: string;
}

/** Returns the filter for the keys that a member may see: all of the account, or the own ones. */
export function ownFilter(caller: Identity): Pick<KeyFilter, 'accountId' | 'memberId'> {
  const { accountId, memberId } = ownKeys(caller);
  return {
    ...(accountId === null ? {} : { accountId }),
    ...(memberId === null ? {} : { memberId }),
  };
}

/** Exact microseconds since 1970; 0 for a key that was never used. */
const LAST_USED_US = 'coalesce((extract(epoch from k.last_used_at) * 1000000)::bigint, 0)';

const SPEND_MONTH = 'coalesce(spent_month.spent_nano_usd, 0)';

/**
 * The month's spend of all keys, for sorting by it. The month is computed once in UTC and once for
 * each account with a zone of its own: for each key it would take most of the time of the list.
 */
const SPENT_MONTH = `
  left join (
    select account_id, period_start('month', (now() at time zone zone) at time zone 'UTC') as month
    from account_time_zones where since <= now() and now() < until
  ) zoned on zoned.account_id = k.account_id
  left join key_spend spent_month on spent_month.key_id = k.id and spent_month.period = 'month'
    and spent_month.period_start = coalesce(zoned.month, (select period_start('month', now())))`;

/** Keys of one account or of all, without those that were deleted. */
export function keyList(secrets: Secrets): SortedList<KeyFilter> {
  return {
    select: KEY_COLUMNS,
    tables: KEY_TABLES,
    from: 'keys k',
    id: 'k.id',
    sort: '-created',
    columns: {
      ...figureColumns('key', 'k.id'),
      created: byCreation('k.id'),
      name: {
        expression: 'lower(k.name)',
        type: 'text',
        shape: TEXT_SHAPE,
      },
      used: {
        expression: LAST_USED_US,
        type: 'bigint',
        shape: INTEGER_SHAPE,
      },
      spend: {
        expression: SPEND_MONTH,
        type: 'bigint',
        shape: INTEGER_SHAPE,
        join: () => SPENT_MONTH,
      },
    },
    filter(conditions, { accountId, memberId, groupId, status, search }) {
      conditions.add(`k.status <> 'deleted'`);
      conditions.equal('k.account_id', accountId);
      if (memberId !== undefined) {
        conditions.add(`k.member_id = ${conditions.place(memberId)}::bigint`);
      }
      conditions.equal('k.group_id', groupId);
      conditions.equal('k.status', status);
      const pattern = likePattern(search);
      if (search === undefined || pattern === null) return;
      const like = conditions.place(pattern);
      const digests = conditions.place(digestsOf(secrets, search));
      conditions.add(`(k.name ilike ${like} or k.prefix like ${like} or k.digest = any (${digests})
        or k.id in (select a.key_id from key_aliases a where a.digest = any (${digests})))`);
    },
  };
}
