import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { ACCOUNT_ROUTES } from '@weir/shared/api/admin-routes/accounts';
import type { AccountView, BalanceView } from '@weir/shared/people/accounts';
import { permits } from '@weir/shared/api/permissions';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { given, setClause, type ColumnChange } from '../api/lists/column-list.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { readCounted } from '../api/lists/sorted-list.ts';
import { ACCOUNT_LIST, listItem } from './account-list.ts';
import {
  accountAdminView,
  accountView,
  findAccount,
  readBalance,
  type AccountRow,
} from './account-row.ts';
import { changeAccountsInBulk } from './bulk-change-accounts.ts';
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
> &
  Pick<typeof BULK_ROUTES, 'changeAccountsInBulk'>;

export const accountHandlers: HandlersOf<Table> = {
  getOwnAccount,
  updateOwnAccount,
  listAccounts: ({ context, query }) => readCounted(context.pool, ACCOUNT_LIST, query, listItem),
  createAccount,
  getAccount: ({ context, params }) => viewOf(context, params.accountId, accountAdminView),
  updateAccount,
  deleteAccount,
  getAccountOverview,
  changeAccountsInBulk,
};

const NO_ACCOUNT = refuse('not_found', 'There is no such account.');

/** Members who do not see the account's money get no balance. */
async function getOwnAccount({
  context,
  caller,
}: Call<'getOwnAccount'>): Promise<AccountView | Refusal> {
  const account = await findAccount(context.pool, caller.accountId);
  if (account === undefined) return NO_ACCOUNT;
  const sees = permits(caller, 'billing.read');
  return accountView(account, sees ? await readBalance(context, caller.accountId) : null);
}

/** An account as its owner or as an operator sees it. */
type ViewMaker<View> = (row: AccountRow, balance: BalanceView | null) => View;

async function viewOf<View>(
  context: AdminContext,
  accountId: string,
  makeView: ViewMaker<View>,
): Promise<View | Refusal> {
  const account = await findAccount(context.pool, accountId);
  if (account === undefined) return NO_ACCOUNT;
  return makeView(account, await readBalance(context, accountId));
}

interface AccountChange<View> {
  readonly makeView: ViewMaker<View>;
  readonly accountId: string;
  readonly changes: readonly ColumnChange[];
  readonly balance: AccountView['balance'];
}

async function changeAccount<View extends AccountView>(
  db: Database,
  call: Call<'updateAccount'> | Call<'updateOwnAccount'>,
  { accountId, changes, balance, makeView }: AccountChange<View>,
): Promise<{ readonly before: View; readonly after: View } | Refusal> {
  const account = await findAccount(db, accountId, { lock: true });
  if (account === undefined) return NO_ACCOUNT;
  if (account.deletedAt !== null) {
    return refuse('state_conflict', 'This account was deleted. Only its books are left.');
  }
  const before = makeView(account, balance);
  const stale = call.refuseStale(before);
  if (stale !== undefined) return stale;
  const { sql, values } = setClause(changes, 2);
  await db.query(`update accounts set ${sql} where id = $1`, [accountId, ...values]);
  const changed = await findAccount(db, accountId);
  return changed === undefined ? NO_ACCOUNT : { before, after: makeView(changed, balance) };
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
    const own = { accountId, changes, balance, makeView: accountView };
    const changed = await changeAccount(client, call, own);
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
    ['note', body.note?.trim()],
  ]);
  const { accountId } = params;
  const balance = await readBalance(context, accountId);
  return inTransaction(context.pool, async (client) => {
    const change = { accountId, changes, balance, makeView: accountAdminView };
    const changed = await changeAccount(client, call, change);
    if ('refused' in changed) return changed;
    const before = { ...changed.before, balance: undefined };
    const after = { ...changed.after, balance: undefined };
    return {
      view: changed.after,
      audit: await audit(client, call, { kind: 'account', id: accountId, before, after }),
    };
  });
}
