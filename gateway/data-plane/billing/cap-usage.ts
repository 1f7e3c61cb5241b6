import {
  METER_IDS,
  METERS,
  UNITS,
  type Meter,
  type MeterCounts,
  type MeterId,
} from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';

/**
 * Tokens of a model that is sold by units, in its prompt and in a choice: the operator may pay for
 * them, and they count for limits per minute, which an absurd report must not use up for hours.
 */
export const UNSOLD_TOKENS_MAX = 1_000_000;

export interface UsageLimits {
  /** The most tokens that the prompt can have had. */
  readonly promptTokensMax: number;
  /** The most tokens the model produces in one choice. */
  readonly outputTokensMax: number;
  readonly choices: number;
  /** Reports whether the model has a price for a meter; absent: it has none for any. */
  readonly isPriced?: (meter: MeterId) => boolean;
  /** The most of a basis meter that the request can have led to; absent: none. */
  readonly units?: { readonly meter: MeterId; readonly count: number } | undefined;
}

/**
 * Counts that can be billed: whole, not negative, within what is possible for the request, parts
 * not larger than their whole. `capped` says that something had to be changed: one absurd report
 * must not empty an account, and the operator should see it.
 */
export function capUsage(
  reported: TokenCounts,
  limits: UsageLimits,
): { readonly counts: TokenCounts; readonly capped: boolean } {
  const input = wholeWithin(reported.input, limits.promptTokensMax);
  const cachedInput = wholeWithin(reported.cachedInput, input);
  const cacheWrite = wholeWithin(reported.cacheWrite, input - cachedInput);
  const output = wholeWithin(reported.output, limits.outputTokensMax * limits.choices);
  const reasoning = wholeWithin(reported.reasoning, output);
  const capped =
    input !== reported.input ||
    cachedInput !== reported.cachedInput ||
    cacheWrite !== reported.cacheWrite ||
    output !== reported.output ||
    reasoning !== reported.reasoning;
  const counts = { input, cachedInput, cacheWrite, output, reasoning };
  if (reported.extra === undefined) return { counts, capped };
  const left = { input: input - cachedInput - cacheWrite, output };
  const extra = capMeters(reported.extra, left, limits);
  const isCapped =
    capped || METER_IDS.some((id) => (reported.extra?.[id] ?? 0) !== (extra[id] ?? 0));
  if (Object.keys(extra).length === 0) return { counts, capped: isCapped };
  return { counts: { ...counts, extra }, capped: isCapped };
}

/**
 * Counts of meters within the tokens that are `left` for them. Calls without a price are left out:
 * no request is sent that may make them, and `capped` shows the operator that one did.
 */
function capMeters(
  reported: MeterCounts,
  left: { input: number; output: number },
  { isPriced, units }: UsageLimits,
): MeterCounts {
  const counts: Partial<Record<MeterId, number>> & { variant?: string } = {};
  for (const id of METER_IDS) {
    const meter: Meter = METERS[id];
    const { charged } = UNITS[meter.unit];
    const value = reported[id] ?? 0;
    let count: number;
    if (charged === 'basis') {
      count = units?.meter === id ? wholeWithin(value, units.count) : 0;
      if (count > 0 && reported.variant !== undefined) counts.variant = reported.variant;
    } else if (charged === 'more') {
      count = isPriced?.(id) === true ? wholeWithin(value, meter.callsMax ?? 0) : 0;
    } else {
      const whole = meter.unit === 'input_tokens' ? 'input' : 'output';
      count = wholeWithin(value, left[whole]);
      left[whole] -= count;
    }
    if (count > 0) counts[id] = count;
  }
  return counts;
}

function wholeWithin(value: number, max: number): number {
  // Not a number fails both comparisons and becomes 0.
  if (value >= max) return max;
  return value > 0 ? Math.floor(value) : 0;
}
