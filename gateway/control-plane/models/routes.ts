import type { CATALOG_ROUTES } from '@weir/shared/admin-routes/catalog';
import type { ModelPage, ModelView } from '@weir/shared/models';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor, UUID_SHAPE } from '../api/cursor.ts';
import { likePattern } from '../api/like-pattern.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { importModels } from './import-models.ts';
import { findModel, modelView, SELECT_MODELS, type ModelRow } from './model-row.ts';
import { changeModel, insertModel, refuseBadModel, renameInAllowlists } from './write-model.ts';

type Table = Pick<
  typeof CATALOG_ROUTES,
  'listModels' | 'createModel' | 'importModels' | 'getModel' | 'updateModel' | 'deleteModel'
>;

export const modelHandlers: HandlersOf<Table> = {
  listModels,
  createModel,
  importModels,
  getModel: ({ context, params }) => viewOf(context.pool, params.modelId),
  updateModel,
  deleteModel,
};

/** Sorted as the price list is, by hand first. */
const LIST = `${SELECT_MODELS}
  where ($1::integer is null or (m.sort_order, m.id) > ($1, $2::uuid))
    and ($3::text is null or m.public_id ilike $3 or m.display_name ilike $3 or m.vendor ilike $3)
    and ($4::text is null or m.status = $4)
    and ($5::uuid is null or exists (select from group_models gm where gm.model_id = m.id and gm.group_id = $5))
  order by m.sort_order, m.id limit $6`;

const USES = `
  select exists (select from group_models where model_id = $1) as groups,
    exists (select from channel_models where model_id = $1) as channels`;

export const NO_MODEL = refuse('not_found', 'There is no such model.');

async function viewOf(db: Database, modelId: string): Promise<ModelView | Refusal> {
  const model = await findModel(db, modelId);
  return model === undefined ? NO_MODEL : modelView(model);
}

async function listModels(call: Call<'listModels'>): Promise<ModelPage | Refusal> {
  const { context, query } = call;
  const after = readCursor(query.cursor, [INTEGER_SHAPE, UUID_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  const limit = pageLimit(query);
  const { rows } = await context.pool.query<ModelRow>(LIST, [
    after?.[0] ?? null,
    after?.[1] ?? null,
    likePattern(query.search),
    query.status ?? null,
    query.groupId ?? null,
    limit + 1,
  ]);
  const sortKey = ({ sortOrder, id }: ModelRow) => [String(sortOrder), id];
  return pageOf(rows, { limit, view: modelView, sortKey });
}

function createModel(call: Call<'createModel'>): Answer<'createModel'> {
  const { body, context } = call;
  return refuseBadModel(
    inTransaction(context.pool, async (client) => {
      const id = await insertModel(client, body);
      const after = await viewOf(client, id);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'model', id, before: null, after }),
      };
    }),
  );
}

function updateModel(call: Call<'updateModel'>): Answer<'updateModel'> {
  const { body, context, params } = call;
  return refuseBadModel(
    inTransaction(context.pool, async (client) => {
      const model = await findModel(client, params.modelId, { lock: true });
      if (model === undefined) return NO_MODEL;
      const before = modelView(model);
      const stale = call.refuseStale(before);
      if (stale !== undefined) return stale;
      await changeModel(client, model.id, body);
      await renameInAllowlists(client, {
        before: model.publicId,
        after: body.publicId ?? model.publicId,
      });
      const after = await viewOf(client, model.id);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'model', id: model.id, before, after }),
      };
    }),
  );
}

async function refuseUsed(db: Database, modelId: string): Promise<Refusal | undefined> {
  const { rows } = await db.query<Record<string, boolean>>(USES, [modelId]);
  const users = Object.entries(rows[0] ?? {}).flatMap(([what, uses]) => (uses ? [what] : []));
  if (users.length === 0) return undefined;
  return refuse(
    'in_use',
    `${users.join(' and ')} list this model. Take it out of them first, or disable it.`,
  );
}

function deleteModel(call: Call<'deleteModel'>): Answer<'deleteModel'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const model = await findModel(client, params.modelId, { lock: true });
    if (model === undefined) return NO_MODEL;
    const used = await refuseUsed(client, model.id);
    if (used !== undefined) return used;
    await client.query('delete from models where id = $1', [model.id]);
    const before = modelView(model);
    return {
      view: undefined,
      audit: await audit(client, call, { kind: 'model', id: model.id, before, after: null }),
    };
  });
}
