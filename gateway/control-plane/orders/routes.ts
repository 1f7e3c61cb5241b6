import type { BILLING_ROUTES } from '@weir/shared/api/admin-routes/billing';
import type { OrderView } from '@weir/shared/money/orders';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { readSorted } from '../api/lists/sorted-list.ts';
import { createOrder } from './create-order.ts';
import { ORDER_LIST } from './order-list.ts';
import { findOrder, orderView } from './order-row.ts';
import { reconcileOrder } from './reconcile.ts';
import { refundOrder } from './refunds.ts';
import { receiveStripeWebhook } from './stripe-webhook.ts';

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
