import { CHANNEL_MODELS_MAX, type ChannelCreate } from '@weir/shared/catalog/channels';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { importPrice, refusedPrices } from '../models/import-models.ts';
import { findModel, modelView, type ModelRow } from '../models/model-row.ts';
import { changeModel, insertModel } from '../models/write-model.ts';

type NewModel = NonNullable<ChannelCreate['newModels']>[number];
type Saving = Call<'createChannel' | 'updateChannel'>;

const FIND_ID = 'select id from models where public_id = $1 for update';
const SERVE = `
  insert into channel_models (channel_id, model_id, upstream_name) values ($1, $2, $3)`;
const COUNT = `
  select count(*)::integer as "modelsCount" from channel_models where channel_id = $1`;
const UNKNOWN_GROUPS = `
  select 1 from unnest($1::uuid[]) wanted where wanted not in (select id from groups)`;

/** Models of a channel that are not in all of these groups, in the order of their locks. */
const NOT_SOLD_IN = `
  select cm.model_id::text as "modelId" from channel_models cm
  where cm.channel_id = $1 and exists (
    select from unnest($2::uuid[]) wanted
    where not exists (select from group_models gm where gm.group_id = wanted and gm.model_id = cm.model_id))
  order by cm.model_id`;

/**
 * Adds what a channel brings into the catalog: models with prices, and all of its models to groups.
 * The refusal names the first faulty field; nothing of the transaction is kept then.
 */
export async function bringModels(
  db: Database,
  call: Saving,
  channelId: string,
): Promise<Refusal | undefined> {
  const { newModels = [], sellInGroupIds = [] } = call.body;
  const unknown = await db.query(UNKNOWN_GROUPS, [sellInGroupIds]);
  if ((unknown.rowCount ?? 0) > 0) {
    const param = 'sellInGroupIds';
    return refuse('invalid_value', 'One of the groups does not exist.', { param });
  }
  const seen = new Set<string>();
  for (const [index, model] of newModels.entries()) {
    const at = `newModels.${String(index)}`;
    if (seen.size === seen.add(model.publicId).size) {
      const param = `${at}.publicId`;
      return refuse('invalid_value', `${model.publicId} is listed twice.`, { param });
    }
    const refused = await bringModel(db, call, { channelId, model, at });
    if (refused !== undefined) return refused;
  }
  const { rows } = await db.query<{ modelsCount: number }>(COUNT, [channelId]);
  if (onlyRow(rows).modelsCount > CHANNEL_MODELS_MAX) {
    const message = `A channel serves at most ${String(CHANNEL_MODELS_MAX)} models.`;
    return refuse('limit_reached', message, { param: 'newModels' });
  }
  await sellIn(db, call, { channelId, groupIds: sellInGroupIds });
  return undefined;
}

async function bringModel(
  db: Database,
  call: Saving,
  { channelId, model, at }: { channelId: string; model: NewModel; at: string },
): Promise<Refusal | undefined> {
  const { prices, upstreamName, ...created } = model;
  const { rows } = await db.query<{ id: string }>(FIND_ID, [model.publicId]);
  const before = rows[0] === undefined ? undefined : await findModel(db, rows[0].id);
  if (before !== undefined && before.price !== null) {
    const message = `There is a model ${model.publicId} with a price. Serve that one, or give this one another name.`;
    return refuse('already_exists', message, { param: `${at}.publicId` });
  }
  const groupIds = [...(before?.groupIds ?? []), ...(model.groupIds ?? [])];
  // What an operator has set of a model that only lacks a price stays.
  if (before !== undefined) await changeModel(db, before.id, { groupIds });
  const modelId = before?.id ?? (await insertModel(db, created));
  if (prices !== undefined) {
    const change = await importPrice(db, modelId, prices);
    if (change !== null && 'refused' in change) {
      return refusedPrices(change, model.publicId, at);
    }
  }
  await db.query(SERVE, [channelId, modelId, upstreamName]);
  await auditModel(db, call, modelId, before);
  return undefined;
}

async function sellIn(
  db: Database,
  call: Saving,
  { channelId, groupIds }: { channelId: string; groupIds: readonly string[] },
): Promise<void> {
  const { rows } = await db.query<{ modelId: string }>(NOT_SOLD_IN, [channelId, groupIds]);
  for (const { modelId } of rows) {
    const before = await findModel(db, modelId, { lock: true });
    if (before === undefined) continue;
    const together = [...new Set([...before.groupIds, ...groupIds])];
    await changeModel(db, modelId, { groupIds: together });
    await auditModel(db, call, modelId, before);
  }
}

async function auditModel(
  db: Database,
  call: Saving,
  modelId: string,
  before: ModelRow | undefined,
): Promise<void> {
  const after = await findModel(db, modelId);
  await audit(db, call, {
    kind: 'model',
    id: modelId,
    before: before === undefined ? null : modelView(before),
    after: after === undefined ? null : modelView(after),
  });
}
