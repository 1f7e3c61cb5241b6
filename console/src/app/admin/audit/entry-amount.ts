import type { AuditEntryView } from '@weir/shared/people/audit-entries';
import { decimal, readDecimal, subtract, writeDecimal } from '../../core/format/decimal';
import { fieldsOf } from '../../core/format/differences';

/**
 * The money that an act moved, with its sign as the balance saw it; undefined when it moved none.
 */
export function entryAmount({
  action,
  before,
  after,
}: Pick<AuditEntryView, 'action' | 'before' | 'after'>): string | undefined {
  if (action === 'createCredit') return amountIn(after, 'amountUsd');
  if (action !== 'refundOrder') return undefined;
  const refunded = amountIn(after, 'refundedUsd');
  if (refunded === undefined) return undefined;
  return writeDecimal(subtract(decimal(amountIn(before, 'refundedUsd') ?? '0'), decimal(refunded)));
}

function amountIn(view: unknown, field: string): string | undefined {
  const amount = fieldsOf(view).get(field);
  return typeof amount === 'string' && readDecimal(amount) !== undefined ? amount : undefined;
}
