import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { Judge } from './finding.ts';

const REFUNDS_MAX = 100;
/** A payment provider confirms most refunds within seconds. */
const WAITS_MINUTES = 60;
const FAILED_WITHIN_DAYS = 7;

/** A refund that failed is over once another one of its order was begun. */
const REFUNDS = `
  select r.id, r.status, r.amount_nano_usd as "amountNanoUsd", a.name
  from order_refunds r join orders o on o.id = r.order_id join accounts a on a.id = o.account_id
  where (r.status = 'pending' and r.created_at < now() - make_interval(mins => ${String(WAITS_MINUTES)}))
    or (r.status = 'failed' and r.created_at > now() - make_interval(days => ${String(FAILED_WITHIN_DAYS)})
      and not exists (select from order_refunds later
                      where later.order_id = r.order_id and later.created_at > r.created_at))
  order by r.created_at desc limit ${String(REFUNDS_MAX)}`;

interface RefundRow {
  readonly id: string;
  readonly status: 'pending' | 'failed';
  readonly amountNanoUsd: number;
  readonly name: string;
}

/** Refunds that failed, or that the payment provider does not confirm. */
export const judgeRefunds: Judge = async ({ db }) => {
  const { rows } = await db.query<RefundRow>(REFUNDS);
  return rows.map(({ id, status, amountNanoUsd, name }) => ({
    subject: id,
    name,
    verdict: 'true',
    value: `$${decimalFromNanoUsd(amountNanoUsd)} ${status}`,
  }));
};
