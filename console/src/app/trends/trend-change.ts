export interface TrendChange {
  /** A share of the earlier figure, or percentage points; never negative. */
  readonly amount: number;
  readonly sign: '+' | '−' | '±';
  readonly tone: 'good' | 'bad' | 'plain';
}

/** Changes below these are none: an arrow for noise would be read as news. */
const SHARE_MIN = 0.005;
const POINTS_MIN = 0.05;
/** Smaller ones are no reason for joy or alarm. */
const TONE_SHARE_MIN = 0.05;
const TONE_POINTS_MIN = 0.5;

/** Compares a figure with that of the week before; undefined where one of them is unknown. */
export function changeOf(
  value: number | null,
  weekBefore: number | null,
  { isShare, better }: { readonly isShare: boolean; readonly better: 'more' | 'less' | null },
): TrendChange | undefined {
  if (value === null || weekBefore === null) return undefined;
  // From nothing, there is no percentage.
  if (!isShare && weekBefore === 0) return undefined;
  const change = isShare ? value - weekBefore : (value - weekBefore) / Math.abs(weekBefore);
  const amount = Math.abs(change);
  if (amount < (isShare ? POINTS_MIN : SHARE_MIN)) return { amount: 0, sign: '±', tone: 'plain' };
  const isMore = change > 0;
  const isLarge = amount >= (isShare ? TONE_POINTS_MIN : TONE_SHARE_MIN);
  const tone =
    better === null || !isLarge ? 'plain' : isMore === (better === 'more') ? 'good' : 'bad';
  return { amount, sign: isMore ? '+' : '−', tone };
}
