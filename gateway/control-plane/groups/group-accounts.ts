import type {
  GroupAccountList,
  GroupAccountPage,
  GroupAccountView,
  GroupView,
} from '@weir/shared/catalog/groups';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { multiplierFromPpm, ppmFromMultiplier } from '../api/amount.ts';
import type { Answer, Call } from '../api/call.ts';
import { pageLimit, pageOf, readIdCursor } from '../api/lists/cursor.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';

interface GroupAccountRow {
  readonly groupId: string;
  readonly groupName: string;
  readonly groupAccess: GroupView['access'];
  readonly groupMultiplierPpm: number;
  readonly accountId: string;
  readonly accountName: string;
  readonly multiplierPpm: number | null;
  readonly joinedBy: GroupAccountView['joinedBy'];
  readonly createdAt: Date;
}

const SELECT = `
  select g.id as "groupId", g.name as "groupName", g.access as "groupAccess",
    g.multiplier_ppm as "groupMultiplierPpm", a.id as "accountId", a.name as "accountName",
    ga.multiplier_ppm as "multiplierPpm", ga.joined_by as "joinedBy", ga.created_at as "createdAt"
  from group_accounts ga join groups g on g.id = ga.group_id join accounts a on a.id = ga.account_id`;

const OF_GROUP = `${SELECT}
  where ga.group_id = $1 and ($2::uuid is null or a.id > $2) order by a.id limit $3`;
const OF_ACCOUNT = `${SELECT} where ga.account_id = $1 order by g.sort_order, g.name`;
const SOME_OF_GROUP = `${SELECT} where ga.group_id = $1 and a.id = any ($2) order by a.id`;

const GROUP_EXISTS = 'select 1 from groups where id = $1';
const ACCOUNT_EXISTS = 'select 1 from accounts where id = $1';

/** Accounts that cannot be given anything: unknown, or deleted. */
const MISSING = `
  select wanted from unnest($1::uuid[]) wanted
  where not exists (select from accounts where id = wanted and deleted_at is null)`;

/** $3 says whether a multiplier was sent: without one, that of an account which has it stays. */
const ADD = `
  insert into group_accounts as known (group_id, account_id, multiplier_ppm, joined_by)
  select $1, wanted, $4, 'operator' from unnest($2::uuid[]) wanted
  on conflict (account_id, group_id) do update
    set multiplier_ppm = case when $3 then excluded.multiplier_ppm else known.multiplier_ppm end`;

const REMOVE = 'delete from group_accounts where group_id = $1 and account_id = $2';

const NO_GROUP = refuse('not_found', 'There is no such group.');

function view(row: GroupAccountRow): GroupAccountView {
  return {
    groupId: row.groupId,
    groupName: row.groupName,
    groupAccess: row.groupAccess,
    groupMultiplier: multiplierFromPpm(row.groupMultiplierPpm),
    accountId: row.accountId,
    accountName: row.accountName,
    multiplier: row.multiplierPpm === null ? null : multiplierFromPpm(row.multiplierPpm),
    joinedBy: row.joinedBy,
    createdAt: row.createdAt.toISOString(),
  };
}

async function exists(db: Database, statement: string, id: string): Promise<boolean> {
  return (await db.query(statement, [id])).rows.length > 0;
}

export async function listGroupAccounts({
  context: { pool },
  params: { groupId },
  query,
}: Call<'listGroupAccounts'>): Promise<GroupAccountPage | Refusal> {
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  if (!(await exists(pool, GROUP_EXISTS, groupId))) return NO_GROUP;
  const limit = pageLimit(query);
  const { rows } = await pool.query<GroupAccountRow>(OF_GROUP, [groupId, after, limit + 1]);
  return pageOf(rows, { limit, view, sortKey: ({ accountId }) => [accountId] });
}

export async function listAccountGroups({
  context: { pool },
  params: { accountId },
}: Call<'listAccountGroups'>): Promise<GroupAccountList | Refusal> {
  if (!(await exists(pool, ACCOUNT_EXISTS, accountId))) {
    return refuse('not_found', 'There is no such account.');
  }
  const { rows } = await pool.query<GroupAccountRow>(OF_ACCOUNT, [accountId]);
  return { data: rows.map(view) };
}

async function someOf(
  db: Database,
  groupId: string,
  accountIds: readonly string[],
): Promise<GroupAccountView[]> {
  const { rows } = await db.query<GroupAccountRow>(SOME_OF_GROUP, [groupId, accountIds]);
  return rows.map(view);
}

/** All accounts or none, with one audit entry of the group. */
export function addGroupAccounts(call: Call<'addGroupAccounts'>): Answer<'addGroupAccounts'> {
  const {
    body: { accountIds, multiplier },
    context,
    params: { groupId },
  } = call;
  return inTransaction(context.pool, async (client) => {
    if (!(await exists(client, GROUP_EXISTS, groupId))) return NO_GROUP;
    const { rows: missing } = await client.query(MISSING, [accountIds]);
    if (missing.length > 0) {
      return refuse('invalid_value', 'One of the accounts does not exist, or was deleted.', {
        param: 'accountIds',
      });
    }
    const before = await someOf(client, groupId, accountIds);
    const ownPpm = multiplier == null ? null : ppmFromMultiplier(multiplier);
    // Sorted: two calls with the same accounts wait for each other instead of colliding.
    await client.query(ADD, [groupId, accountIds.toSorted(), multiplier !== undefined, ownPpm]);
    const after = await someOf(client, groupId, accountIds);
    return {
      view: { data: after },
      audit: await audit(client, call, {
        kind: 'group',
        id: groupId,
        before: before.length === 0 ? null : { accounts: before },
        after: { accounts: after },
      }),
    };
  });
}

export function removeGroupAccount(call: Call<'removeGroupAccount'>): Answer<'removeGroupAccount'> {
  const {
    context,
    params: { groupId, accountId },
  } = call;
  return inTransaction(context.pool, async (client) => {
    const before = await someOf(client, groupId, [accountId]);
    const { rowCount } = await client.query(REMOVE, [groupId, accountId]);
    if (rowCount === 0) return refuse('not_found', 'The account was not given this group.');
    return {
      view: undefined,
      audit: await audit(client, call, {
        kind: 'group',
        id: groupId,
        before: { accounts: before },
        after: null,
      }),
    };
  });
}
