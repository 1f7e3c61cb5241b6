import type { Overview } from '@weir/shared/watch/overview';
import type { MoneyTrend, Trend } from '@weir/shared/watch/trends';

const NONE: Trend = { value: null, weekBefore: null, points: [] };
const NO_MONEY: MoneyTrend = { value: '0', weekBefore: null, points: [] };

/** Figures before they are known: their tiles have their places from the first. */
export const NO_TRENDS: Overview['trends'] = {
  from: '',
  hasWeekBefore: false,
  requests: NONE,
  failed: NONE,
  errorPercent: NONE,
  firstByteMsP50: NONE,
  streamTokensPerSecond: NONE,
  spend: NO_MONEY,
  marginPercent: NONE,
  credits: NO_MONEY,
  activeAccounts: NONE,
};
