import type {
  ACCOUNT_FILTERS,
  AccountListItem,
  AccountListQuery,
} from '@weir/shared/people/accounts';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { figureColumns } from '../activity/activity-sort.ts';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';

interface ListRow {
  readonly id: string;
  readonly name: string;
  readonly status: AccountListItem['status'];
  readonly balanceNanoUsd: number;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly emails: string[];
}

const COLUMNS = `
  a.id, a.name, a.status, a.balance_nano_usd as "balanceNanoUsd", a.deleted_at as "deletedAt",
    a.created_at as "createdAt",
    array(select u.email from members m join users u on u.id = m.user_id
      where m.account_id = a.id and m.ended_at is null and a.deleted_at is null order by u.email) as emails`;

/** Accounts by name, time, balance, and their figures of the latest 24 hours. */
export const ACCOUNT_LIST: SortedList<Pick<AccountListQuery, keyof typeof ACCOUNT_FILTERS>> = {
  select: COLUMNS,
  from: 'accounts a',
  id: 'a.id',
  sort: '-created',
  columns: {
    ...figureColumns('account', 'a.id'),
    created: byCreation('a.id'),
    name: {
      expression: 'lower(a.name)',
      type: 'text',
      shape: TEXT_SHAPE,
    },
    balance: {
      expression: 'a.balance_nano_usd',
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
  },
  filter(conditions, { status, search }) {
    conditions.equal('a.status', status);
    const pattern = likePattern(search?.toLowerCase());
    if (pattern === null) return;
    const like = conditions.place(pattern);
    const id = conditions.place(search?.trim());
    conditions.add(`(a.name ilike ${like} or a.note ilike ${like} or a.id::text = ${id}
      or exists (select from members m join users u on u.id = m.user_id
        where m.account_id = a.id and m.ended_at is null and u.email like ${like}))`);
  },
};

export function listItem(row: ListRow): AccountListItem {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    emails: row.emails,
    bookBalanceUsd: decimalFromNanoUsd(row.balanceNanoUsd),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
