import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { CATALOG_ROUTES } from '@weir/shared/api/admin-routes/catalog';
import type { ModelView } from '@weir/shared/catalog/models';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { readCounted } from '../api/lists/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { changeModelsInBulk } from './bulk-change-models.ts';
import { importModels } from './import-models.ts';
import { MODEL_LIST } from './model-list.ts';
import { findModel, modelView } from './model-row.ts';
import { changeModel, insertModel, refuseBadModel, renameInAllowlists } from './write-model.ts';

type Table = Pick<
  typeof CATALOG_ROUTES,
  'listModels' | 'createModel' | 'importModels' | 'getModel' | 'updateModel' | 'deleteModel'
> &
  Pick<typeof BULK_ROUTES, 'changeModelsInBulk'>;

export const modelHandlers: HandlersOf<Table> = {
  listModels: ({ context, query }) => readCounted(context.pool, MODEL_LIST, query, modelView),
  createModel,
  importModels,
  getModel: ({ context, params }) => viewOf(context.pool, params.modelId),
  updateModel,
  deleteModel,
  changeModelsInBulk,
};

const USES = `
  select exists (select from group_models where model_id = $1) as groups,
    exists (select from channel_models where model_id = $1) as channels`;

export const NO_MODEL = refuse('not_found', 'There is no such model.');

async function viewOf(db: Database, modelId: string): Promise<ModelView | Refusal> {
  const model = await findModel(db, modelId);
  return model === undefined ? NO_MODEL : modelView(model);
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
      // The keys before the change feed, to which both write: a key that is being changed is locked
      // before it.
      await renameInAllowlists(client, {
        before: model.publicId,
        after: body.publicId ?? model.publicId,
      });
      await changeModel(client, model.id, body);
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
    `${users.join(' and ')} list this model. Remove it from them first, or disable it.`,
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
