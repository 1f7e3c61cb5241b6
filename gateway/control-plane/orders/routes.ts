import type { BILLING_ROUTES } from '@weir/shared/api/admin-routes/billing';
import type { OrderView, OrderAdminListQuery } from '@weir/shared/money/orders';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { readSorted, byCreation, TEXT_SHAPE, type SortedList } from '../api/lists/sorted-list.ts';
import { createOrder } from './create-order.ts';
import { findOrder, orderView, ORDER_COLUMNS, ORDER_TABLES, type OrderRow } from './order-row.ts';
import { reconcileOrder } from './reconcile.ts';
import { refundOrder } from './refunds.ts';
import { receiveStripeWebhook } from './stripe-webhook.ts';
import { INTEGER_SHAPE } from '../api/lists/cursor.ts';

/** Orders of one account or of all. */
const ORDER_LIST: SortedList<OrderRow, Pick<OrderAdminListQuery, 'accountId' | 'status'>> = {
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
      valueOf: ({ amountNanoUsd }) => String(amountNanoUsd),
    },
    status: {
      expression: 'o.status',
      type: 'text',
      shape: TEXT_SHAPE,
      valueOf: ({ status }) => status,
    },
  },
  filter(conditions, { accountId, status }) {
    conditions.equal('o.account_id', accountId);
    conditions.equal('o.status', status);
  },
};

type Table = Pick<
  typeof BILLING_ROUTES,
  | 'listOwnOrders'
  | 'createOrder'
  | 'getOwnOrder'
  | 'listOrders'
  | 'reconcileOrder'
  | 'refundOrder'
  | 'receiveStripeWebhook'
>;

export const orderHandlers: HandlersOf<Table> = {
  listOwnOrders: ({ context, query, caller }) =>
    readSorted(context.pool, ORDER_LIST, { ...query, accountId: caller.accountId }, orderView),
  createOrder,
  getOwnOrder,
  listOrders: ({ context, query }) => readSorted(context.pool, ORDER_LIST, query, orderView),
  reconcileOrder,
  refundOrder,
  receiveStripeWebhook,
};

async function getOwnOrder(call: Call<'getOwnOrder'>): Promise<OrderView | Refusal> {
  const order = await findOrder(call.context.pool, call.params.orderId);
  if (order?.accountId !== call.caller.accountId)
    return refuse('not_found', 'There is no such order.');
  return orderView(order);
}
