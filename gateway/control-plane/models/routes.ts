import type { CATALOG_ROUTES } from '@weir/shared/admin-routes/catalog';
import type { ModelPage, ModelView } from '@weir/shared/models';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { ACTIVITY_COLUMNS, figuresJoin, type FigureRow } from '../activity/activity-sort.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE } from '../api/cursor.ts';
import { likePattern } from '../api/like-pattern.ts';
import { readSorted, TEXT_SHAPE, type SortColumn } from '../api/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { importModels } from './import-models.ts';
import { findModel, MODEL_COLUMNS, modelView, type ModelRow } from './model-row.ts';
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

/** The catalog is a short table, so that what has no index may be sorted by as well. */
const COLUMNS: Readonly<Record<string, SortColumn<ModelRow & FigureRow>>> = {
  order: {
    expression: 'm.sort_order',
    type: 'bigint',
    shape: INTEGER_SHAPE,
    valueOf: ({ sortOrder }) => String(sortOrder),
  },
  name: {
    expression: 'lower(m.public_id)',
    type: 'text',
    shape: TEXT_SHAPE,
    // Public ids are ASCII.
    valueOf: ({ publicId }) => publicId.toLowerCase(),
  },
  status: { expression: 'm.status', type: 'text', shape: TEXT_SHAPE, valueOf: (row) => row.status },
  price: {
    expression: `coalesce((
      select p.input_nano_usd from prices p where p.model_id = m.id and p.effective_from <= now()
      order by p.effective_from desc limit 1), -1)`,
    type: 'bigint',
    shape: INTEGER_SHAPE,
    valueOf: ({ price }) => String(price?.inputNanoUsd ?? -1),
  },
  ...ACTIVITY_COLUMNS,
};

/** Sums of models name them by public ID. */
const SORTED = { kind: 'model', of: 'm.public_id' } as const;

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
  return readSorted<ModelRow & FigureRow, ModelView>(query, {
    columns: COLUMNS,
    // As the price list is, by hand first.
    sort: 'order',
    id: 'm.id',
    view: modelView,
    find: async ({ conditions, order }) => {
      conditions.equal('m.status', query.status);
      const pattern = likePattern(query.search);
      if (pattern !== null) {
        const like = conditions.place(pattern);
        conditions.add(`(m.public_id ilike ${like} or m.display_name ilike ${like}
          or m.vendor ilike ${like})`);
      }
      if (query.groupId !== undefined) {
        const group = conditions.place(query.groupId);
        conditions.add(`exists (
          select from group_models gm where gm.model_id = m.id and gm.group_id = ${group})`);
      }
      const figures = figuresJoin(conditions, { ...SORTED, sort: query.sort });
      const text = `select ${MODEL_COLUMNS} ${figures.select}
        from models m ${figures.join} ${conditions.sql} ${order}`;
      return (await context.pool.query<ModelRow & FigureRow>(text, conditions.values)).rows;
    },
  });
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
