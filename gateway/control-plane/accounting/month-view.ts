import type { AccountingRow, AccountingTotal } from '@weir/shared/money/accounting';
import { decimalFromSum } from '../api/amount.ts';
import type { CustomerSums, MonthSums } from './month-sums.ts';

export function totalView(sums: MonthSums): AccountingTotal {
  return {
    requests: Number(sums.requests),
    usageUsd: decimalFromSum(sums.usage),
    fromBalanceUsd: decimalFromSum(sums.fromBalance),
    fromSubscriptionUsd: decimalFromSum(sums.fromSubscription),
    uncollectedUsd: decimalFromSum(sums.uncollected),
    upstreamCostUsd: decimalFromSum(sums.upstreamCost),
    unknownCostRequests: Number(sums.unknownCostRequests),
    marginUsd: decimalFromSum(sums.margin),
    boughtUsd: decimalFromSum(sums.bought),
    redeemedUsd: decimalFromSum(sums.redeemed),
    givenUsd: decimalFromSum(sums.given),
    refundedUsd: decimalFromSum(sums.refunded),
    plansFromBalanceUsd: decimalFromSum(sums.plansFromBalance),
    plansByCardUsd: decimalFromSum(sums.plansByCard),
    plansRefundedUsd: decimalFromSum(sums.plansRefunded),
    openingUsd: decimalFromSum(sums.opening),
    closingUsd: decimalFromSum(sums.closing),
  };
}

export function rowView(sums: CustomerSums): AccountingRow {
  return {
    accountId: sums.accountId ?? '',
    accountName: sums.accountName ?? '',
    ...totalView(sums),
  };
}
