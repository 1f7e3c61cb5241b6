import type { UserListQuery } from '@weir/shared/people/users';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { USER_COLUMNS } from './user-row.ts';

/** Microseconds since 1970; 0 for a user who never logged in. */
const LAST_LOGIN_US = 'coalesce((extract(epoch from u.last_login_at) * 1000000)::bigint, 0)';

/** Users of accounts that are not deleted. */
export const USER_LIST: SortedList<Pick<UserListQuery, 'search' | 'accountId'>> = {
  select: USER_COLUMNS,
  from: 'users u',
  id: 'u.id',
  sort: '-created',
  columns: {
    created: byCreation('u.id'),
    email: { expression: 'u.email', type: 'text', shape: TEXT_SHAPE },
    role: { expression: 'u.role', type: 'text', shape: TEXT_SHAPE },
    login: {
      expression: LAST_LOGIN_US,
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
  },
  filter(conditions, { search, accountId }) {
    if (accountId !== undefined) {
      conditions.add(`exists (select from members m
        where m.account_id = ${conditions.place(accountId)} and m.user_id = u.id and m.ended_at is null)`);
    }
    const pattern = likePattern(search?.toLowerCase());
    if (pattern !== null) conditions.add(`u.email like ${conditions.place(pattern)}`);
    conditions.add(`not exists (
      select from accounts a where a.id = u.account_id and a.deleted_at is not null)`);
  },
};
