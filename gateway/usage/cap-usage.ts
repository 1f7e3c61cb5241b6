import type { TokenCounts } from '@weir/shared/usage-record';

export interface UsageLimits {
  /** The most tokens that the prompt can have had. */
  readonly promptTokensMax: number;
  /** The most tokens the model produces in one choice. */
  readonly outputTokensMax: number;
  readonly choices: number;
}

/**
 * Counts that can be billed: whole, not negative, within what is possible for the request, parts not larger than
 * their whole. `capped` tells that something had to be changed: one absurd report must not empty an
 * account, and the operator should see it.
 */
export function capUsage(
  reported: TokenCounts,
  { promptTokensMax, outputTokensMax, choices }: UsageLimits,
): { readonly counts: TokenCounts; readonly capped: boolean } {
  const input = wholeWithin(reported.input, promptTokensMax);
  const cachedInput = wholeWithin(reported.cachedInput, input);
  const cacheWrite = wholeWithin(reported.cacheWrite, input - cachedInput);
  const output = wholeWithin(reported.output, outputTokensMax * choices);
  const reasoning = wholeWithin(reported.reasoning, output);
  const capped =
    input !== reported.input ||
    cachedInput !== reported.cachedInput ||
    cacheWrite !== reported.cacheWrite ||
    output !== reported.output ||
    reasoning !== reported.reasoning;
  return { counts: { input, cachedInput, cacheWrite, output, reasoning }, capped };
}

function wholeWithin(value: number, max: number): number {
  // Not a number fails both comparisons and becomes 0.
  if (value >= max) return max;
  return value > 0 ? Math.floor(value) : 0;
}
