import type { CreditKind } from '@weir/shared/money/credits';
import type { OrderView } from '@weir/shared/money/orders';
import type { PlainKey } from '../core/i18n/i18n';
import type { Tone } from '../design/text/chip';

export const CREDIT_WORDS: Readonly<Record<CreditKind, PlainKey>> = {
  top_up: 'credit.topUp',
  redemption: 'credit.redemption',
  refund: 'credit.refund',
  chargeback: 'credit.chargeback',
  adjustment: 'credit.adjustment',
  plan_purchase: 'credit.planPurchase',
  bootstrap: 'credit.bootstrap',
  recovered_usage: 'credit.recoveredUsage',
};

export const ORDER_WORDS: Readonly<
  Record<OrderView['status'], { readonly key: PlainKey; readonly tone: Tone }>
> = {
  pending: { key: 'order.pending', tone: 'brand' },
  paid: { key: 'order.paid', tone: 'good' },
  expired: { key: 'order.expired', tone: 'plain' },
  disputed: { key: 'order.disputed', tone: 'bad' },
  partly_refunded: { key: 'order.partlyRefunded', tone: 'warn' },
  refunded: { key: 'order.refunded', tone: 'plain' },
};
