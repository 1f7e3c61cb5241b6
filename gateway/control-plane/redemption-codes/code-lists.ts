import type {
  REDEMPTION_CODE_FILTERS,
  RedemptionCodeListQuery,
} from '@weir/shared/money/redemption-codes';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { BATCH_COLUMNS, BATCH_TABLES, CODE_COLUMNS, CODE_STATUS, CODE_TABLES } from './code-row.ts';

export const BATCH_LIST: SortedList<object> = {
  select: BATCH_COLUMNS,
  tables: BATCH_TABLES,
  from: 'redemption_batches b',
  id: 'b.id',
  sort: '-created',
  columns: {
    created: byCreation('b.id'),
    name: {
      expression: 'lower(b.name)',
      type: 'text',
      shape: TEXT_SHAPE,
    },
  },
  filter: () => undefined,
};

/** Codes of one batch or of all. */
export const CODE_LIST: SortedList<
  Pick<RedemptionCodeListQuery, keyof typeof REDEMPTION_CODE_FILTERS>
> = {
  select: CODE_COLUMNS,
  from: CODE_TABLES,
  id: 'c.id',
  sort: '-created',
  columns: {
    created: byCreation('c.id'),
    status: {
      expression: CODE_STATUS,
      type: 'text',
      shape: TEXT_SHAPE,
    },
  },
  filter(conditions, { batchId, status }) {
    conditions.equal('c.batch_id', batchId);
    conditions.equal(`(${CODE_STATUS})`, status);
  },
};
