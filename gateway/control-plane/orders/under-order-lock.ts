import type pg from 'pg';
import type { AdminContext } from '../api/context.ts';
import { inTransaction } from '../api/transaction.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { findOrder, type OrderRow } from './order-row.ts';

/**
 * Changes an order's refunds under its lock: what is said at the same time is acted on one after
 * the other.
 */
export async function underOrderLock(
  context: AdminContext,
  orderId: string,
  work: (client: pg.PoolClient, order: OrderRow) => Promise<void>,
): Promise<void> {
  const locked = await inTransaction(context.pool, async (client) => {
    const order = await findOrder(client, orderId, { lock: true });
    if (order !== undefined) await work(client, order);
    return order;
  });
  if (locked !== undefined && !('refused' in locked)) await pushCredits(context, locked.accountId);
}
