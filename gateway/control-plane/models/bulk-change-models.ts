import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import {
  dividePlan,
  linesOf,
  refuseUnlessOne,
  runBulkChange,
  type BulkPlan,
} from '../bulk-changes/run-bulk-change.ts';
import { MODEL_LIST } from './model-list.ts';

const LOCK = 'select 1 from models where id = any ($1) order by id for update';

const READ = `
  select m.id, m.public_id as name, m.status,
    array(select g.name from group_models gm join groups g on g.id = gm.group_id
          where gm.model_id = m.id order by g.name) as groups,
    exists (select from channel_models cm where cm.model_id = m.id) as "isServed"
  from models m where m.id = any ($1) order by m.id`;

const SET_STATUS = 'update models set status = $2, updated_at = now() where id = any ($1)';
const DELETE = 'delete from models where id = any ($1)';
const GROUP_NAMES = 'select name from groups where id = any ($1) order by name';
const LEAVE_GROUPS = `
  delete from group_models where model_id = any ($1) and group_id <> all ($2::uuid[])`;
const JOIN_GROUPS = `
  insert into group_models (group_id, model_id)
  select g, m from unnest($2::uuid[]) g cross join unnest($1::uuid[]) m
  on conflict do nothing`;

interface ModelRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'disabled';
  readonly groups: readonly string[];
  readonly isServed: boolean;
}

const idsOf = (rows: readonly ModelRow[]): string[] => rows.map(({ id }) => id);

function planStatus(rows: readonly ModelRow[], status: ModelRow['status']): BulkPlan {
  const { changing, notChanged } = dividePlan(rows, (row) =>
    row.status === status ? 'unchanged' : undefined,
  );
  return {
    lines: linesOf(changing, (row) => ({ before: { status: row.status }, after: { status } })),
    notChanged,
    write: (db) => db.query(SET_STATUS, [idsOf(changing), status]),
  };
}

function planDeletion(rows: readonly ModelRow[]): BulkPlan {
  const { changing, notChanged } = dividePlan(rows, ({ groups, isServed }) =>
    groups.length > 0 || isServed ? 'in_use' : undefined,
  );
  return {
    lines: linesOf(changing, ({ status }) => ({ before: { status }, after: null })),
    notChanged,
    write: (db) => db.query(DELETE, [idsOf(changing)]),
  };
}

async function planGroups(
  db: Database,
  rows: readonly ModelRow[],
  sent: readonly string[],
): Promise<BulkPlan | Refusal> {
  const groupIds = [...new Set(sent)];
  const found = await db.query<{ name: string }>(GROUP_NAMES, [groupIds]);
  if (found.rows.length !== groupIds.length) {
    return refuse('invalid_value', 'One of the groups does not exist.', { param: 'groupIds' });
  }
  const groups = found.rows.map(({ name }) => name);
  const { changing, notChanged } = dividePlan(rows, (row) =>
    JSON.stringify(row.groups) === JSON.stringify(groups) ? 'unchanged' : undefined,
  );
  return {
    lines: linesOf(changing, (row) => ({ before: { groups: row.groups }, after: { groups } })),
    notChanged,
    async write(client) {
      await client.query(LEAVE_GROUPS, [idsOf(changing), groupIds]);
      await client.query(JOIN_GROUPS, [idsOf(changing), groupIds]);
    },
  };
}

export async function changeModelsInBulk(
  call: Call<'changeModelsInBulk'>,
): Answer<'changeModelsInBulk'> {
  const { body } = call;
  const { status, groupIds } = body;
  const refused = refuseUnlessOne({ status, groupIds, delete: body.delete });
  if (refused !== undefined) return refused;
  return runBulkChange(call, {
    kind: 'model',
    body,
    matching: MODEL_LIST,
    lock: LOCK,
    read: async (db, ids) => (await db.query<ModelRow>(READ, [ids])).rows,
    plan: (db, rows) => {
      if (status !== undefined) return planStatus(rows, status);
      return groupIds === undefined ? planDeletion(rows) : planGroups(db, rows, groupIds);
    },
    change: { status, groupIds, delete: body.delete },
  });
}
