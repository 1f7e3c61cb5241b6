import type { ACCOUNT_ROUTES } from '@weir/shared/admin-routes/accounts';
import type { AccountListItem, AccountPage, AccountView } from '@weir/shared/accounts';
import { decimalFromNanoUsd } from '@weir/shared/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { ACTIVITY_COLUMNS, figuresJoin, type FigureRow } from '../activity/activity-sort.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { given, setClause, type ColumnChange } from '../api/column-list.ts';
import type { AdminContext } from '../api/context.ts';
import { INTEGER_SHAPE, UUID_SHAPE } from '../api/cursor.ts';
import { likePattern } from '../api/like-pattern.ts';
import { readSorted, TEXT_SHAPE, type SortColumn } from '../api/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { accountView, findAccount, readBalance } from './account-row.ts';
import { createAccount } from './create-account.ts';
import { deleteAccount } from './delete-account.ts';
import { getAccountOverview } from './account-overview.ts';

type Table = Pick<
  typeof ACCOUNT_ROUTES,
  | 'getOwnAccount'
  | 'updateOwnAccount'
  | 'listAccounts'
  | 'createAccount'
  | 'getAccount'
  | 'updateAccount'
  | 'deleteAccount'
  | 'getAccountOverview'
>;

export const accountHandlers: HandlersOf<Table> = {
  getOwnAccount: ({ context, caller }) => viewOf(context, caller.accountId),
  updateOwnAccount,
  listAccounts,
  createAccount,
  getAccount: ({ context, params }) => viewOf(context, params.accountId),
  updateAccount,
  deleteAccount,
  getAccountOverview,
};

const SELECTED = `
  a.id, a.name, lower(a.name) as "lowerName", a.status, a.balance_nano_usd as "balanceNanoUsd", a.deleted_at as "deletedAt",
    a.created_at as "createdAt",
    array(select u.email from users u where u.account_id = a.id and a.deleted_at is null order by u.email) as emails`;

/** All but the figures have an index. Ids are made in the order of time. */
const COLUMNS: Readonly<Record<string, SortColumn<ListRow>>> = {
  created: { expression: 'a.id', type: 'uuid', shape: UUID_SHAPE, valueOf: ({ id }) => id },
  name: {
    expression: 'lower(a.name)',
    type: 'text',
    shape: TEXT_SHAPE,
    valueOf: ({ lowerName }) => lowerName,
  },
  balance: {
    expression: 'a.balance_nano_usd',
    type: 'bigint',
    shape: INTEGER_SHAPE,
    valueOf: ({ balanceNanoUsd }) => String(balanceNanoUsd),
  },
  ...ACTIVITY_COLUMNS,
};

interface ListRow extends FigureRow {
  readonly id: string;
  readonly name: string;
  readonly lowerName: string;
  readonly status: AccountListItem['status'];
  readonly balanceNanoUsd: number;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly emails: string[];
}

const NO_ACCOUNT = refuse('not_found', 'There is no such account.');

async function viewOf(context: AdminContext, accountId: string): Promise<AccountView | Refusal> {
  const account = await findAccount(context.pool, accountId);
  if (account === undefined) return NO_ACCOUNT;
  return accountView(account, await readBalance(context, accountId));
}

function listItem(row: ListRow): AccountListItem {
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

async function listAccounts(call: Call<'listAccounts'>): Promise<AccountPage | Refusal> {
  const { context, query } = call;
  return readSorted<ListRow, AccountListItem>(query, {
    columns: COLUMNS,
    sort: '-created',
    id: 'a.id',
    view: listItem,
    find: async ({ conditions, order }) => {
      conditions.equal('a.status', query.status);
      const pattern = likePattern(query.search?.toLowerCase());
      if (pattern !== null) {
        const like = conditions.place(pattern);
        const id = conditions.place(query.search?.trim());
        conditions.add(`(a.name ilike ${like} or a.id::text = ${id}
          or exists (select from users u where u.account_id = a.id and u.email like ${like}))`);
      }
      const figures = figuresJoin(conditions, { kind: 'account', sort: query.sort, of: 'a.id' });
      const text = `select ${SELECTED} ${figures.select}
        from accounts a ${figures.join} ${conditions.sql} ${order}`;
      return (await context.pool.query<ListRow>(text, conditions.values)).rows;
    },
  });
}

interface AccountChange {
  readonly accountId: string;
  readonly changes: readonly ColumnChange[];
  readonly balance: AccountView['balance'];
}

async function changeAccount(
  db: Database,
  call: Call<'updateAccount'> | Call<'updateOwnAccount'>,
  { accountId, changes, balance }: AccountChange,
): Promise<{ readonly before: AccountView; readonly after: AccountView } | Refusal> {
  const account = await findAccount(db, accountId, { lock: true });
  if (account === undefined) return NO_ACCOUNT;
  if (account.deletedAt !== null) {
    return refuse('state_conflict', 'This account was deleted. Only its books are left.');
  }
  const before = accountView(account, balance);
  const stale = call.refuseStale(before);
  if (stale !== undefined) return stale;
  const { sql, values } = setClause(changes, 2);
  await db.query(`update accounts set ${sql} where id = $1`, [accountId, ...values]);
  const changed = await findAccount(db, accountId);
  return changed === undefined ? NO_ACCOUNT : { before, after: accountView(changed, balance) };
}

async function updateOwnAccount(call: Call<'updateOwnAccount'>): Promise<AccountView | Refusal> {
  const { body, caller, context } = call;
  const changes = given([
    ['name', body.name],
    ['subscription_preference', body.subscriptionPreference],
  ]);
  const { accountId } = caller;
  const balance = await readBalance(context, accountId);
  return inTransaction(context.pool, async (client) => {
    const changed = await changeAccount(client, call, { accountId, changes, balance });
    return 'refused' in changed ? changed : changed.after;
  });
}

async function updateAccount(call: Call<'updateAccount'>): Answer<'updateAccount'> {
  const { body, params, context } = call;
  const changes = given([
    ['name', body.name],
    ['status', body.status],
    ['concurrency_max', body.concurrencyMax],
    ['subscription_preference', body.subscriptionPreference],
  ]);
  const { accountId } = params;
  const balance = await readBalance(context, accountId);
  return inTransaction(context.pool, async (client) => {
    const changed = await changeAccount(client, call, { accountId, changes, balance });
    if ('refused' in changed) return changed;
    const before = { ...changed.before, balance: undefined };
    const after = { ...changed.after, balance: undefined };
    return {
      view: changed.after,
      audit: await audit(client, call, { kind: 'account', id: accountId, before, after }),
    };
  });
}
