import type { SAVED_VIEW_ROUTES } from '@weir/shared/api/admin-routes/saved-views';
import {
  SAVED_VIEWS_MAX,
  type SavedViewList,
  type SavedViewView,
} from '@weir/shared/watch/saved-views';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { inTransaction, isDuplicate, lockRow, onlyRow } from '../api/transaction.ts';

export const savedViewHandlers: HandlersOf<typeof SAVED_VIEW_ROUTES> = {
  listSavedViews,
  createSavedView,
  updateSavedView,
  deleteSavedView,
};

const COLUMNS = 'id, list, name, query, created_at as "createdAt"';

const LIST = `
  select ${COLUMNS} from saved_views where user_id = $1 and list = $2 order by lower(name), id`;
const COUNT = 'select count(*)::integer as count from saved_views where user_id = $1';
const INSERT = `
  insert into saved_views (id, user_id, list, name, query) values ($1, $2, $3, $4, $5)
  returning ${COLUMNS}`;
const UPDATE = `
  update saved_views set name = coalesce($3, name), query = coalesce($4, query)
  where id = $1 and user_id = $2 returning ${COLUMNS}`;
const DELETE = 'delete from saved_views where id = $1 and user_id = $2';

const UNKNOWN = refuse('not_found', 'There is no such saved view.');
const NAME_TAKEN = refuse(
  'already_exists',
  'You have a saved view of this list with that name. Choose another name, or change that view.',
);

interface SavedViewRow extends Omit<SavedViewView, 'createdAt'> {
  readonly createdAt: Date;
}

function savedView({ createdAt, ...row }: SavedViewRow): SavedViewView {
  return { ...row, createdAt: createdAt.toISOString() };
}

/** A name that the list has already is refused; two calls at once may both want it. */
async function refuseTaken<Result>(write: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicate(error)) return NAME_TAKEN;
    throw error;
  }
}

async function listSavedViews(call: Call<'listSavedViews'>): Promise<SavedViewList> {
  const { context, caller, query } = call;
  const { rows } = await context.pool.query<SavedViewRow>(LIST, [caller.userId, query.list]);
  return { data: rows.map(savedView) };
}

function createSavedView(call: Call<'createSavedView'>): Promise<SavedViewView | Refusal> {
  const { context, caller, body } = call;
  return refuseTaken(() =>
    inTransaction(context.pool, async (client) => {
      // The user's row orders two calls at once, so that both together keep the limit.
      await lockRow(client, 'users', caller.userId);
      const { rows: counted } = await client.query<{ count: number }>(COUNT, [caller.userId]);
      if (onlyRow(counted).count >= SAVED_VIEWS_MAX) {
        return refuse(
          'limit_reached',
          `You have ${String(SAVED_VIEWS_MAX)} saved views, the maximum. Delete one first.`,
        );
      }
      const { list, name, query } = body;
      const values = [newRequestId(Date.now()), caller.userId, list, name, query];
      return savedView(onlyRow((await client.query<SavedViewRow>(INSERT, values)).rows));
    }),
  );
}

function updateSavedView(call: Call<'updateSavedView'>): Promise<SavedViewView | Refusal> {
  const { context, caller, body, params } = call;
  return refuseTaken(async () => {
    const values = [params.savedViewId, caller.userId, body.name ?? null, body.query ?? null];
    const [row] = (await context.pool.query<SavedViewRow>(UPDATE, values)).rows;
    return row === undefined ? UNKNOWN : savedView(row);
  });
}

async function deleteSavedView(call: Call<'deleteSavedView'>): Promise<undefined | Refusal> {
  const { context, caller, params } = call;
  const { rowCount } = await context.pool.query(DELETE, [params.savedViewId, caller.userId]);
  return rowCount === 0 ? UNKNOWN : undefined;
}
