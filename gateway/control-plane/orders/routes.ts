import type { BILLING_ROUTES } from '@weir/shared/admin-routes/billing';
import type { OrderAdminListQuery, OrderPage, OrderView } from '@weir/shared/orders';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { pageLimit, pageOf, readIdCursor } from '../api/cursor.ts';
import type { Database } from '../api/transaction.ts';
import { createOrder } from './create-order.ts';
import { findOrder, orderView, SELECT_ORDERS, type OrderRow } from './order-row.ts';
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
    readPage(context.pool, { ...query, accountId: caller.accountId }),
  createOrder,
  getOwnOrder,
  listOrders: ({ context, query }) => readPage(context.pool, query),
  reconcileOrder,
  refundOrder,
  receiveStripeWebhook,
};

const LIST = `${SELECT_ORDERS}
  where ($1::uuid is null or o.id < $1) and ($2::uuid is null or o.account_id = $2)
    and ($3::text is null or o.status = $3)
  order by o.id desc limit $4`;

async function readPage(db: Database, query: OrderAdminListQuery): Promise<OrderPage | Refusal> {
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  const limit = pageLimit(query);
  const { rows } = await db.query<OrderRow>(LIST, [
    after,
    query.accountId ?? null,
    query.status ?? null,
    limit + 1,
  ]);
  return pageOf(rows, { limit, view: orderView, sortKey: ({ id }) => [id] });
}

async function getOwnOrder(call: Call<'getOwnOrder'>): Promise<OrderView | Refusal> {
  const order = await findOrder(call.context.pool, call.params.orderId);
  if (order?.accountId !== call.caller.accountId)
    return refuse('not_found', 'There is no such order.');
  return orderView(order);
}
