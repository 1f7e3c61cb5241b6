import type { OrderAdminListQuery } from '@weir/shared/money/orders';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';
import { byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { ORDER_COLUMNS, ORDER_TABLES } from './order-row.ts';

/** Orders of one account or of all. */
export const ORDER_LIST: SortedList<Pick<OrderAdminListQuery, 'accountId' | 'status'>> = {
  select: ORDER_COLUMNS,
  tables: ORDER_TABLES,
  from: 'orders o',
  id: 'o.id',
  sort: '-created',
  columns: {
    created: byCreation('o.id'),
    amount: {
      expression: 'o.amount_nano_usd',
      type: 'bigint',
      shape: INTEGER_SHAPE,
    },
    status: {
      expression: 'o.status',
      type: 'text',
      shape: TEXT_SHAPE,
    },
  },
  filter(conditions, { accountId, status }) {
    conditions.equal('o.account_id', accountId);
    conditions.equal('o.status', status);
  },
};
