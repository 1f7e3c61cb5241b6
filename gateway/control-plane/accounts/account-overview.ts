import type { AccountOverview } from '@weir/shared/people/accounts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import { readRecentCredits } from '../credits/routes.ts';
import { keyView, SELECT_KEYS, type KeyRow } from '../keys/key-row.ts';
import { readSubscriptionsOf } from '../subscriptions/routes.ts';
import { readUsageSummary } from '../usage/usage-days.ts';
import { USER_COLUMNS, userView, type UserRow } from '../users/user-row.ts';
import { accountAdminView, findAccount, readBalance } from './account-row.ts';

const RECENT_CREDITS = 10;
/** The list of keys has the others. */
const NEWEST_KEYS = 10;

const USERS = `
  select ${USER_COLUMNS} from members m join users u on u.id = m.user_id
  where m.account_id = $1 and m.ended_at is null order by u.id`;
const KEYS = `${SELECT_KEYS}
  where k.account_id = $1 and k.status <> 'deleted' order by k.id desc limit ${String(NEWEST_KEYS)}`;

/**
 * Returns everything a supporter needs to answer a customer. It only reads: no one can act as the
 * customer.
 */
export async function getAccountOverview(
  call: Call<'getAccountOverview'>,
): Promise<AccountOverview | Refusal> {
  const { pool } = call.context;
  const { accountId } = call.params;
  const account = await findAccount(pool, accountId);
  if (account === undefined) return refuse('not_found', 'There is no such account.');
  const users = await pool.query<UserRow>(USERS, [accountId]);
  const keys = await pool.query<KeyRow>(KEYS, [accountId]);
  const usage = await readUsageSummary(pool, { accountId });
  return {
    account: accountAdminView(account, await readBalance(call.context, accountId)),
    users: users.rows.map(userView),
    keys: keys.rows.map(keyView),
    subscriptions: await readSubscriptionsOf(pool, accountId),
    recentCredits: await readRecentCredits(pool, accountId, RECENT_CREDITS),
    spendTodayUsd: usage.today.costUsd,
    spendThisMonthUsd: usage.month.costUsd,
    requestsThisMonth: usage.month.requests,
  };
}
