import type { CATALOG_ROUTES } from '@weir/shared/api/admin-routes/catalog';
import type { GroupDetail, GroupUpdate } from '@weir/shared/catalog/groups';
import { permits } from '@weir/shared/api/permissions';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { ppmFromMultiplier } from '../api/amount.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { given, setClause, type ColumnChange } from '../api/lists/column-list.ts';
import {
  inTransaction,
  isDuplicate,
  isReferenceBroken,
  type Database,
} from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { ownKeys } from '../keys/key-row.ts';
import {
  addGroupAccounts,
  listAccountGroups,
  listGroupAccounts,
  removeGroupAccount,
} from './group-accounts.ts';
import { ensureGroupCode, getGroupCode, replaceGroupCode } from './group-code.ts';
import { findGroup, groupDetail, groupView, readGroups } from './group-row.ts';

type Table = Pick<
  typeof CATALOG_ROUTES,
  | 'listGroups'
  | 'createGroup'
  | 'getGroup'
  | 'updateGroup'
  | 'deleteGroup'
  | 'listGroupAccounts'
  | 'addGroupAccounts'
  | 'removeGroupAccount'
  | 'listAccountGroups'
  | 'getGroupCode'
  | 'replaceGroupCode'
>;

export const groupHandlers: HandlersOf<Table> = {
  listGroups: async ({ context, caller }) => {
    const all = permits(caller, 'operate');
    const { accountId, memberId } = ownKeys(caller);
    const rows = await readGroups(context.pool, { accountId, memberId, all });
    const data = rows.map((row) =>
      groupView(row, (all ? null : row.ownMultiplierPpm) ?? row.multiplierPpm),
    );
    return { data };
  },
  createGroup,
  getGroup: ({ context, params: { groupId }, caller: { accountId } }) =>
    detailOf(context.pool, { groupId, accountId }),
  updateGroup,
  deleteGroup,
  listGroupAccounts,
  addGroupAccounts,
  removeGroupAccount,
  listAccountGroups,
  getGroupCode,
  replaceGroupCode,
};

const NO_GROUP = refuse('not_found', 'There is no such group.');
const NAME_TAKEN = refuse('already_exists', 'There is a group with this name.', { param: 'name' });
const UNKNOWN_MODEL = refuse('invalid_value', 'One of the models does not exist.', {
  param: 'modelIds',
});

/** Behind all others: what is new must not become what forms begin with. */
const INSERT = `
  insert into groups (id, name, sort_order)
  select $1, $2, least(coalesce(max(sort_order), 0) + 10, 1000000) from groups`;

const INSERT_MODELS = `
  insert into group_models (group_id, model_id)
  select $1, wanted from unnest($2::uuid[]) wanted
  on conflict do nothing`;

const DELETE_MODELS = `
  delete from group_models where group_id = $1 and model_id <> all ($2::uuid[])`;

const USES = `
  select exists (select from keys where group_id = $1 and status <> 'deleted') as keys,
    exists (select from plan_groups where group_id = $1) as plans,
    exists (select from subscriptions
            where $1 = any (group_ids) and status <> 'ended' and ends_at > now()) as subscriptions`;

async function detailOf(
  db: Database,
  of: { readonly groupId: string; readonly accountId: string },
): Promise<GroupDetail | Refusal> {
  const group = await findGroup(db, of);
  return group === undefined ? NO_GROUP : groupDetail(group);
}

function columns(body: GroupUpdate): ColumnChange[] {
  return given([
    ['name', body.name],
    ['description', body.description],
    [
      'multiplier_ppm',
      body.multiplier === undefined ? undefined : ppmFromMultiplier(body.multiplier),
    ],
    ['rpm', body.rpm],
    ['tpm', body.tpm],
    ['status', body.status],
    ['access', body.access],
    ['protocols', body.protocols],
    ['sort_order', body.sortOrder],
  ]);
}

async function writeModels(
  db: Database,
  groupId: string,
  modelIds: readonly string[] | undefined,
): Promise<void> {
  if (modelIds === undefined) return;
  await db.query(DELETE_MODELS, [groupId, modelIds]);
  await db.query(INSERT_MODELS, [groupId, modelIds]);
}

/** Turns the two ways in which a group cannot be written into refusals. */
async function refuseBadWrite<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicate(error)) return NAME_TAKEN;
    if (isReferenceBroken(error)) return UNKNOWN_MODEL;
    throw error;
  }
}

function createGroup(call: Call<'createGroup'>): Answer<'createGroup'> {
  const { body, context, caller } = call;
  return refuseBadWrite(
    inTransaction(context.pool, async (client) => {
      const id = newRequestId(Date.now());
      await client.query(INSERT, [id, body.name]);
      const { sql, values } = setClause(columns(body), 2);
      await client.query(`update groups set ${sql} where id = $1`, [id, ...values]);
      await writeModels(client, id, body.modelIds);
      if (body.access === 'code') await ensureGroupCode(client, context.secrets, id);
      const after = await detailOf(client, { groupId: id, accountId: caller.accountId });
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'group', id, before: null, after }),
      };
    }),
  );
}

function updateGroup(call: Call<'updateGroup'>): Answer<'updateGroup'> {
  const { body, context, params, caller } = call;
  const of = { groupId: params.groupId, accountId: caller.accountId };
  return refuseBadWrite(
    inTransaction(context.pool, async (client) => {
      const group = await findGroup(client, { ...of, lock: true });
      if (group === undefined) return NO_GROUP;
      const before = groupDetail(group);
      const stale = call.refuseStale(before);
      if (stale !== undefined) return stale;
      const { sql, values } = setClause(columns(body), 2);
      await client.query(`update groups set ${sql} where id = $1`, [group.id, ...values]);
      await writeModels(client, group.id, body.modelIds);
      if (body.access === 'code') await ensureGroupCode(client, context.secrets, group.id);
      const after = await detailOf(client, of);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'group', id: group.id, before, after }),
      };
    }),
  );
}

async function refuseUsed(db: Database, groupId: string): Promise<Refusal | undefined> {
  const { rows } = await db.query<Record<string, boolean>>(USES, [groupId]);
  const users = Object.entries(rows[0] ?? {}).flatMap(([what, uses]) => (uses ? [what] : []));
  if (users.length === 0) return undefined;
  return refuse(
    'in_use',
    `The group is used by ${users.join(' and ')}. Disable it, or remove it from them first.`,
  );
}

async function deleteGroup(call: Call<'deleteGroup'>): Answer<'deleteGroup'> {
  const { context, params, caller } = call;
  const of = { groupId: params.groupId, accountId: caller.accountId };
  try {
    return await inTransaction(context.pool, async (client) => {
      const group = await findGroup(client, { ...of, lock: true });
      if (group === undefined) return NO_GROUP;
      const used = await refuseUsed(client, group.id);
      if (used !== undefined) return used;
      await client.query('delete from groups where id = $1', [group.id]);
      const before = groupDetail(group);
      return {
        view: undefined,
        audit: await audit(client, call, { kind: 'group', id: group.id, before, after: null }),
      };
    });
  } catch (error) {
    // Deleted keys keep their group's row, because records explain themselves by it.
    if (!isReferenceBroken(error)) throw error;
    return refuse(
      'in_use',
      'Keys belong to this group, and their records name it. Disable it instead.',
    );
  }
}
