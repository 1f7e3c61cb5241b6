import type { MODEL_FILTERS, ModelListQuery } from '@weir/shared/catalog/models';
import { figureColumns } from '../activity/activity-sort.ts';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { MODEL_COLUMNS } from './model-row.ts';

/** The catalog is a short table, so that columns without an index can be sorted by as well. */
export const MODEL_LIST: SortedList<Pick<ModelListQuery, keyof typeof MODEL_FILTERS>> = {
  select: MODEL_COLUMNS,
  from: 'models m',
  id: 'm.id',
  // As the price list is, by hand first.
  sort: 'order',
  columns: {
    // Sums name models by public ID.
    ...figureColumns('model', 'm.public_id'),
    order: {
      expression: 'm.sort_order',
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
    name: {
      expression: 'lower(m.public_id)',
      type: 'text',
      shape: TEXT_SHAPE,
    },
    status: {
      expression: 'm.status',
      type: 'text',
      shape: TEXT_SHAPE,
    },
    price: {
      expression: `coalesce((
        select p.input_nano_usd from prices p where p.model_id = m.id and p.effective_from <= now()
        order by p.effective_from desc limit 1), -1)`,
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
  },
  filter(conditions, { status, search, groupId }) {
    conditions.equal('m.status', status);
    const pattern = likePattern(search);
    if (pattern !== null) {
      const like = conditions.place(pattern);
      conditions.add(`(m.public_id ilike ${like} or m.display_name ilike ${like}
        or m.vendor ilike ${like})`);
    }
    if (groupId === undefined) return;
    const group = conditions.place(groupId);
    conditions.add(`exists (
      select from group_models gm where gm.model_id = m.id and gm.group_id = ${group})`);
  },
};
