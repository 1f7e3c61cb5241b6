import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import { tierName } from '../fields/tier-name.ts';

interface UsageContext {
  /** Next to the usage: the tier in which the request was served. */
  readonly serviceTier?: unknown;
  /** See `TargetProfile.streamedInputHasCache`. */
  readonly inputHasCache?: boolean;
}

/**
 * Reads a `usage` object. `inputTokens` leaves out what was read from a cache or written to one;
 * `TokenCounts.input` has all of it. `outputTokens` includes reasoning, which is not counted
 * separately. Undefined when it reports no tokens at all.
 */
export function readUsage(
  usage: unknown,
  { serviceTier, inputHasCache = false }: UsageContext = {},
): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const read = count(usage['cacheReadInputTokens']);
  const hour = writes(usage, '1h');
  // What the details do not account for is written for five minutes, which is the default.
  const rest = count(usage['cacheWriteInputTokens']) - hour;
  const fiveMinutes = Math.max(writes(usage, '5m'), rest);
  const reported = count(usage['inputTokens']);
  const cache = read + fiveMinutes + hour;
  // A smaller number has what no cache had.
  const input = inputHasCache && reported >= cache ? reported : reported + cache;
  const output = count(usage['outputTokens']);
  if (input === 0 && output === 0) return undefined;
  const tier = isJsonObject(serviceTier) ? tierName(serviceTier['type']) : undefined;
  return {
    input,
    cachedInput: read,
    cacheWrite: fiveMinutes,
    output,
    reasoning: 0,
    ...(hour > 0 ? { extra: { cacheWrite1h: hour } } : {}),
    ...(tier === undefined ? {} : { tier }),
  };
}

/** Tokens that were written to a cache for a time. */
function writes({ cacheDetails: details }: JsonObject, ttl: '5m' | '1h'): number {
  if (!Array.isArray(details)) return 0;
  return details
    .filter(isJsonObject)
    .filter((detail) => detail['ttl'] === ttl)
    .reduce((sum, { inputTokens }) => sum + count(inputTokens), 0);
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
