import type { MarginSums } from '@weir/shared/prices/margins';
import { decimalFromSum } from '../api/amount.ts';
import type { AdminContext } from '../api/context.ts';
import type { SumName } from './margin-statement.ts';

/** Whole requests and nanodollars in text. */
export type SumsRow = Readonly<Record<SumName, string>>;

export const NO_SUMS: SumsRow = {
  requests: '0',
  balance: '0',
  subscription: '0',
  uncollected: '0',
  knownRequests: '0',
  knownRevenue: '0',
  upstreamCost: '0',
};

export function addSums(one: SumsRow, other: SumsRow): SumsRow {
  const add = (name: SumName): string => String(BigInt(one[name]) + BigInt(other[name]));
  return {
    requests: add('requests'),
    balance: add('balance'),
    subscription: add('subscription'),
    uncollected: add('uncollected'),
    knownRequests: add('knownRequests'),
    knownRevenue: add('knownRevenue'),
    upstreamCost: add('upstreamCost'),
  };
}

/** Tenths of a percent are all that a person reads. */
const PER_MILLE = 1_000n;

function percentOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((part * PER_MILLE) / whole) / 10;
}

export function sumsView(row: SumsRow): MarginSums {
  const revenue = BigInt(row.balance) + BigInt(row.subscription);
  const known = BigInt(row.knownRevenue);
  const profit = known - BigInt(row.upstreamCost);
  return {
    requests: Number(row.requests),
    revenueUsd: decimalFromSum(String(revenue)),
    fromSubscriptionUsd: decimalFromSum(row.subscription),
    uncollectedUsd: decimalFromSum(row.uncollected),
    unknownRequests: Number(row.requests) - Number(row.knownRequests),
    unknownRevenueUsd: decimalFromSum(String(revenue - known)),
    knownRevenueUsd: decimalFromSum(row.knownRevenue),
    upstreamCostUsd: decimalFromSum(row.upstreamCost),
    profitUsd: decimalFromSum(String(profit)),
    marginPercent: percentOf(profit, known),
  };
}

/** Adds the margins of new bills to those of their days; see functions/margins.sql. */
export async function sumMargins({ pool }: Pick<AdminContext, 'pool'>): Promise<void> {
  await pool.query('select sum_margins()');
}
