import type { GroupDetail, GroupView } from '@weir/shared/catalog/groups';
import { multiplierFromPpm } from '../api/amount.ts';
import { type Database, lockRow } from '../api/transaction.ts';
import { openToTeam } from '../teams/team-row.ts';
import { openTo } from './open-to.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly multiplierPpm: number;
  readonly access: GroupView['access'];
  /** True if the caller's account may use it. */
  readonly open: boolean;
  /** The account's own multiplier; null: the group's applies. */
  readonly ownMultiplierPpm: number | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly status: GroupView['status'];
  readonly protocols: GroupView['protocols'];
  readonly sortOrder: number;
  readonly modelsCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type GroupDetailRow = GroupRow & {
  readonly modelIds: string[];
  readonly keysCount: number;
};

/** @param account SQL of the id of the account that asks */
const columns = (account: string) => `
  g.id, g.name, g.description, g.multiplier_ppm as "multiplierPpm", g.rpm, g.tpm, g.status, g.access,
  ${openTo(account)} as open,
  (select own.multiplier_ppm from group_accounts own
   where own.group_id = g.id and own.account_id = ${account}) as "ownMultiplierPpm",
  g.protocols, g.sort_order as "sortOrder", g.created_at as "createdAt", g.updated_at as "updatedAt",
  (select count(*)::integer from group_models gm join models m on m.id = gm.model_id
   where gm.group_id = g.id and m.status = 'active'
     and exists (select from prices p where p.model_id = m.id and p.effective_from <= now())) as "modelsCount"`;

const LIST = `
  select ${columns('$2::uuid')} from groups g
  where $1 or (g.status = 'active' and ${openTo('$2::uuid')}
    and ${openToTeam('(select team_id from members where id = $3::bigint)')})
  order by g.sort_order, g.name`;

const FIND = `
  select ${columns('$2::uuid')},
    array(select gm.model_id::text from group_models gm where gm.group_id = g.id order by gm.model_id) as "modelIds",
    (select count(*)::integer from keys k where k.group_id = g.id and k.status <> 'deleted') as "keysCount"
  from groups g where g.id = $1`;

/**
 * Reads the active groups that an account may use, or all groups for an administrator.
 * @param accountId null for a visitor
 * @param memberId a member who sees the groups of their team alone
 */
export async function readGroups(
  db: Database,
  options: {
    readonly accountId: string | null;
    readonly memberId?: string | null;
    readonly all: boolean;
  },
): Promise<GroupRow[]> {
  const { accountId, memberId = null, all } = options;
  return (await db.query<GroupRow>(LIST, [all, accountId, memberId])).rows;
}

interface GroupScope {
  readonly groupId: string;
  /** The account that asks. */
  readonly accountId: string;
  readonly lock?: boolean;
}

export async function findGroup(
  db: Database,
  { groupId, accountId, lock }: GroupScope,
): Promise<GroupDetailRow | undefined> {
  if (lock === true) await lockRow(db, 'groups', groupId);
  return (await db.query<GroupDetailRow>(FIND, [groupId, accountId])).rows[0];
}

/** @param multiplierPpm the one to show: the group's, or an account's own */
export function groupView(row: GroupRow, multiplierPpm: number): GroupView {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    multiplier: multiplierFromPpm(multiplierPpm),
    access: row.access,
    open: row.open,
    rpm: row.rpm,
    tpm: row.tpm,
    status: row.status,
    protocols: row.protocols,
    sortOrder: row.sortOrder,
    modelsCount: row.modelsCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function groupDetail(row: GroupDetailRow): GroupDetail {
  return { ...groupView(row, row.multiplierPpm), modelIds: row.modelIds, keysCount: row.keysCount };
}
