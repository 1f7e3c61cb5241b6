import type { ModelCreate, ModelUpdate } from '@weir/shared/catalog/models';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { isDuplicate, isReferenceBroken, type Database } from '../api/transaction.ts';

/** Behind all others: what is new must not become what forms begin with. */
const LAST_POSITION = `(select least(coalesce(max(sort_order), 0) + 10, 1000000) from models)`;

const INSERT = `
  insert into models (id, public_id, display_name, context_tokens_max, output_tokens_max, sort_order)
  values ($1, $2, $3, $4, $5, ${LAST_POSITION})`;

const INSERT_GROUPS = `
  insert into group_models (group_id, model_id)
  select wanted, $1 from unnest($2::uuid[]) wanted
  on conflict do nothing`;

const DELETE_GROUPS = `
  delete from group_models where model_id = $1 and group_id <> all ($2::uuid[])`;

const PUBLIC_ID_TAKEN = refuse('already_exists', 'There is a model with this public ID.', {
  param: 'publicId',
});
const UNKNOWN_GROUP = refuse('invalid_value', 'One of the groups does not exist.', {
  param: 'groupIds',
});

/** Writes what was given of a model. */
export async function changeModel(
  db: Database,
  modelId: string,
  change: ModelUpdate,
): Promise<void> {
  const { sql, values } = setClause(
    given([
      ['public_id', change.publicId],
      ['display_name', change.displayName],
      ['vendor', change.vendor],
      ['description', change.description],
      ['context_tokens_max', change.contextTokensMax],
      ['output_tokens_max', change.outputTokensMax],
      ['capabilities', change.capabilities],
      ['status', change.status],
      ['sort_order', change.sortOrder],
    ]),
    2,
  );
  await db.query(`update models set ${sql} where id = $1`, [modelId, ...values]);
  if (change.groupIds === undefined) return;
  await db.query(DELETE_GROUPS, [modelId, change.groupIds]);
  await db.query(INSERT_GROUPS, [modelId, change.groupIds]);
}

const LOCK_LIMITED_KEYS =
  'select 1 from keys where $1 = any (model_allowlist) order by id for update';

const RENAME_IN_ALLOWLISTS = `
  update keys set model_allowlist = array_replace(array_remove(model_allowlist, $2), $1, $2), updated_at = now()
  where $1 = any (model_allowlist)`;

/**
 * Keys are limited to models by their public names: without the new one they would serve nothing.
 */
export async function renameInAllowlists(
  db: Database,
  names: { readonly before: string; readonly after: string },
): Promise<void> {
  if (names.before === names.after) return;
  await db.query(LOCK_LIMITED_KEYS, [names.before]);
  await db.query(RENAME_IN_ALLOWLISTS, [names.before, names.after]);
}

/** Adds a model and answers its id. */
export async function insertModel(db: Database, model: ModelCreate): Promise<string> {
  const id = newRequestId(Date.now());
  await db.query(INSERT, [
    id,
    model.publicId,
    model.displayName ?? model.publicId,
    model.contextTokensMax,
    model.outputTokensMax,
  ]);
  await changeModel(db, id, model);
  return id;
}

/** Turns the two ways in which a model cannot be written into refusals. */
export async function refuseBadModel<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicate(error)) return PUBLIC_ID_TAKEN;
    if (isReferenceBroken(error)) return UNKNOWN_GROUP;
    throw error;
  }
}
