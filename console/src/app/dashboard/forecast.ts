import type { DashboardView } from '@weir/shared/watch/dashboard';
import type { SubscriptionWindowView } from '@weir/shared/money/subscriptions';

/** The time for which the balance lasts. */
export type BalanceForecast =
  | { readonly kind: 'empty' | 'unused' | 'year' | 'day' }
  | { readonly kind: 'days'; readonly days: number };

const YEAR_DAYS = 365;

/** Says for how long the balance lasts at the pace of the last days; undefined if it is unknown. */
export function balanceForecast(
  view: Pick<DashboardView, 'balance' | 'forecast'>,
): BalanceForecast | undefined {
  const { balance, forecast } = view;
  if (balance === null || forecast === null) return undefined;
  if (Number(balance.availableUsd) <= 0) return { kind: 'empty' };
  const { daysLeft } = forecast;
  if (daysLeft === null) return { kind: 'unused' };
  if (daysLeft < 1) return { kind: 'day' };
  return daysLeft > YEAR_DAYS ? { kind: 'year' } : { kind: 'days', days: Math.floor(daysLeft) };
}

/** Less of a window than this is no pace yet. */
const ELAPSED_SHARE_MIN = 0.1;

/**
 * When an allowance is used up at the pace of its window, milliseconds since 1970; undefined where
 * it lasts until it starts over, or too little of the window is over.
 */
export function usedUpAt(
  { usedUsd, limitUsd, startsAt, resetsAt }: SubscriptionWindowView,
  nowMs: number,
): number | undefined {
  const [used, limit] = [Number(usedUsd), Number(limitUsd)];
  const [startMs, resetMs] = [Date.parse(startsAt), Date.parse(resetsAt)];
  if (used >= limit) return nowMs;
  const elapsedMs = nowMs - startMs;
  if (used <= 0 || elapsedMs < ELAPSED_SHARE_MIN * (resetMs - startMs)) return undefined;
  const atMs = startMs + elapsedMs * (limit / used);
  return atMs < resetMs ? atMs : undefined;
}
