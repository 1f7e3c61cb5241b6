import type { GroupDetail, GroupView } from '@weir/shared/groups';
import { multiplierFromPpm } from '../api/amount.ts';
import { type Database, lockRow } from '../api/transaction.ts';

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly multiplierPpm: number;
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

const COLUMNS = `
  g.id, g.name, g.description, g.multiplier_ppm as "multiplierPpm", g.rpm, g.tpm, g.status,
  g.protocols,  g.sort_order as "sortOrder", g.created_at as "createdAt", g.updated_at as "updatedAt",
  (select count(*)::integer from group_models gm join models m on m.id = gm.model_id
   where gm.group_id = g.id and m.status = 'active'
     and exists (select from prices p where p.model_id = m.id and p.effective_from <= now())) as "modelsCount"`;

const LIST = `
  select ${COLUMNS} from groups g
  where $1 or g.status = 'active'
  order by g.sort_order, g.name`;

const FIND = `
  select ${COLUMNS},
    array(select gm.model_id::text from group_models gm where gm.group_id = g.id order by gm.model_id) as "modelIds",
    (select count(*)::integer from keys k where k.group_id = g.id and k.status <> 'deleted') as "keysCount"
  from groups g where g.id = $1`;

export async function readGroups(
  db: Database,
  options: { readonly alsoDisabled: boolean },
): Promise<GroupRow[]> {
  return (await db.query<GroupRow>(LIST, [options.alsoDisabled])).rows;
}

export async function findGroup(
  db: Database,
  groupId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<GroupDetailRow | undefined> {
  if (options.lock) await lockRow(db, 'groups', groupId);
  return (await db.query<GroupDetailRow>(FIND, [groupId])).rows[0];
}

export function groupView(row: GroupRow): GroupView {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    multiplier: multiplierFromPpm(row.multiplierPpm),
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
  return { ...groupView(row), modelIds: row.modelIds, keysCount: row.keysCount };
}
