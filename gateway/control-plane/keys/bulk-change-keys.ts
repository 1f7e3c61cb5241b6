import { KEY_BULK_LIMITS, type KeyView } from '@weir/shared/people/keys';
import type { BulkReason, KeysBulkChange, OwnKeysBulkChange } from '@weir/shared/api/bulk-changes';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import type { Database } from '../api/transaction.ts';
import { auditOwn } from '../audit/audit-log.ts';
import {
  dividePlan,
  linesOf,
  refuseUnlessOne,
  runBulkChange,
  type BulkPlan,
  type BulkWork,
} from '../bulk-changes/run-bulk-change.ts';
import { openTo } from '../groups/open-to.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { openToTeam } from '../teams/team-row.ts';
import { keyList, ownFilter, type KeyFilter } from './key-list.ts';
import { readKeyLimits } from './key-limits.ts';
import { ANY_KEY, keyView, ownKeys, SELECT_KEYS, type KeyRow, type KeyScope } from './key-row.ts';

const LOCK = `select 1 from keys where id = any ($1) and status <> 'deleted' order by id for update`;

const READ = `${SELECT_KEYS}
  where k.id = any ($1) and k.status <> 'deleted' and ($2::uuid is null or k.account_id = $2)
    and ($3::bigint is null or k.member_id = $3)
  order by k.id`;

const DELETE = `update keys set status = 'deleted', updated_at = now() where id = any ($1)`;
const DELETE_ALIASES = 'delete from key_aliases where key_id = any ($1)';

const GROUP_NAME = 'select name from groups where id = $1';

/** Keys whose account may use a group, and whether the group has every model of their list. */
const FIT = `
  select k.id, not exists (
      select from unnest(k.model_allowlist) wanted where not exists (
        select from models m join group_models gm on gm.model_id = m.id
        where m.public_id = wanted and gm.group_id = g.id)) as "hasModels"
  from keys k join groups g on g.id = $2
    left join members m on m.id = k.member_id
  where k.id = any ($1) and g.status = 'active' and ${openTo('k.account_id')}
    and ${openToTeam('coalesce(k.team_id, m.team_id)')}`;

type Body = KeysBulkChange | OwnKeysBulkChange;
type Limit = keyof typeof KEY_BULK_LIMITS;

const LIMITS = Object.keys(KEY_BULK_LIMITS) as Limit[];

/** The limits that a body sends; undefined if it sends none. */
function limitsOf(body: Body): Partial<Pick<KeyView, Limit>> | undefined {
  const sent = LIMITS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]));
  return sent.length === 0 ? undefined : (Object.fromEntries(sent) as Pick<Body, Limit>);
}

const idsOf = (rows: readonly KeyRow[]): string[] => rows.map(({ id }) => id);

function planDeletion(rows: readonly KeyRow[]): BulkPlan {
  return {
    lines: linesOf(rows, ({ status }) => ({ before: { status }, after: null })),
    notChanged: [],
    async write(db) {
      await db.query(DELETE, [idsOf(rows)]);
      await db.query(DELETE_ALIASES, [idsOf(rows)]);
    },
  };
}

/** `byAdmin`: the owner cannot enable what an administrator disables. */
function planStatus(
  rows: readonly KeyRow[],
  status: 'active' | 'disabled',
  byAdmin: boolean,
): BulkPlan {
  const disabledByAdmin = byAdmin && status === 'disabled';
  const reasonOf = (row: KeyRow): BulkReason | undefined => {
    if (!byAdmin && status === 'active' && row.disabledByAdmin) return 'disabled_by_admin';
    const same = row.status === status && (!byAdmin || row.disabledByAdmin === disabledByAdmin);
    return same ? 'unchanged' : undefined;
  };
  const { changing, notChanged } = dividePlan(rows, reasonOf);
  const set = byAdmin ? 'status = $2, disabled_by_admin = $3' : 'status = $2';
  const values = [idsOf(changing), status, ...(byAdmin ? [disabledByAdmin] : [])];
  return {
    lines: linesOf(changing, (row) => ({ before: { status: row.status }, after: { status } })),
    notChanged,
    write: (db) =>
      db.query(`update keys set ${set}, updated_at = now() where id = any ($1)`, values),
  };
}

async function planGroup(
  db: Database,
  rows: readonly KeyRow[],
  groupId: string,
): Promise<BulkPlan | Refusal> {
  const [group] = (await db.query<{ name: string }>(GROUP_NAME, [groupId])).rows;
  const found = await db.query<{ id: string; hasModels: boolean }>(FIT, [idsOf(rows), groupId]);
  const fits = new Map(found.rows.map(({ id, hasModels }) => [id, hasModels]));
  // A group that none of the keys may use is refused like one that does not exist.
  if (group === undefined || fits.size === 0) {
    return refuse('invalid_value', 'There is no such group to choose.', { param: 'groupId' });
  }
  const { changing, notChanged } = dividePlan(rows, (row) => {
    if (row.groupId === groupId) return 'unchanged';
    if (!fits.has(row.id)) return 'group_closed';
    return fits.get(row.id) === true ? undefined : 'models_missing';
  });
  return {
    lines: linesOf(changing, ({ groupName }) => ({
      before: { group: groupName },
      after: { group: group.name },
    })),
    notChanged,
    write: (client) =>
      client.query('update keys set group_id = $2, updated_at = now() where id = any ($1)', [
        idsOf(changing),
        groupId,
      ]),
  };
}

async function planLimits(
  db: Database,
  rows: readonly KeyRow[],
  limits: Partial<Pick<KeyView, Limit>>,
): Promise<BulkPlan | Refusal> {
  const columns = await readKeyLimits(db, limits, '');
  if ('refused' in columns) return columns;
  const names = Object.keys(limits) as Limit[];
  const before = (row: KeyRow): Partial<KeyView> => {
    const view = keyView(row);
    return Object.fromEntries(names.map((name) => [name, view[name]]));
  };
  const wanted = JSON.stringify(limits);
  const isSame = (row: KeyRow): boolean => JSON.stringify(before(row)) === wanted;
  const { changing, notChanged } = dividePlan(rows, (row) =>
    isSame(row) ? 'unchanged' : undefined,
  );
  const { sql, values } = setClause(given(columns), 2);
  return {
    lines: linesOf(changing, (row) => ({ before: before(row), after: limits })),
    notChanged,
    write: (client) =>
      client.query(`update keys set ${sql} where id = any ($1)`, [idsOf(changing), ...values]),
  };
}

type KeyCall = Call<'changeKeysInBulk'> | Call<'changeOwnKeysInBulk'>;

/** @param scope the keys that the caller may change; `ANY_KEY` for operators */
function workOf(
  call: KeyCall,
  scope: KeyScope,
  own: Partial<KeyFilter>,
): BulkWork<KeyRow, KeyFilter> | Refusal {
  const { body, context } = call;
  const { status, groupId } = body;
  const limits = limitsOf(body);
  const refused = refuseUnlessOne({ status, groupId, limits, delete: body.delete });
  if (refused !== undefined) return refused;
  const change = body.delete === true ? { delete: true } : { status, groupId, ...limits };
  return {
    kind: 'key',
    body,
    matching: keyList(context.secrets),
    own,
    lock: LOCK,
    read: async (db, ids) =>
      (await db.query<KeyRow>(READ, [ids, scope.accountId, scope.memberId])).rows,
    plan: (db, rows) => {
      if (status !== undefined) return planStatus(rows, status, scope === ANY_KEY);
      if (groupId !== undefined) return planGroup(db, rows, groupId);
      return limits === undefined ? planDeletion(rows) : planLimits(db, rows, limits);
    },
    change,
  };
}

export async function changeKeysInBulk(call: Call<'changeKeysInBulk'>): Answer<'changeKeysInBulk'> {
  const work = workOf(call, ANY_KEY, {});
  return 'refused' in work ? work : runBulkChange(call, work);
}

/**
 * Changes keys that the caller may see. Their lines are in the audit log if the caller is an
 * operator.
 */
export async function changeOwnKeysInBulk(
  call: Call<'changeOwnKeysInBulk'>,
): Answer<'changeOwnKeysInBulk'> {
  const { caller } = call;
  const work = workOf(call, ownKeys(caller), ownFilter(caller));
  if ('refused' in work) return work;
  return runBulkChange(call, {
    ...work,
    audit: auditOwn,
    plan: async (db, rows) => (await refuseEnded(db, caller)) ?? work.plan(db, rows),
  });
}
