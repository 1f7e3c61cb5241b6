import type { TokenCounts } from '@weir/shared/watch/usage-record';
import {
  isJsonObject,
  isOwnJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';
import { dropPurchasePrice, readUsage } from '../openai-family/usage.ts';

/**
 * Reads what a response reports of its tokens and searches; null when it reports none. Cache writes
 * are one count, whichever time they are kept for.
 */
export function readResponseUsage(response: JsonObject): TokenCounts | null {
  const counts = readUsage(response['usage'], response['service_tier']);
  if (counts === undefined) return null;
  const webSearch = searchesOf(response);
  return webSearch === 0 ? counts : { ...counts, extra: { webSearch } };
}

function searchesOf({ tool_usage: toolUsage, output }: JsonObject): number {
  const reported = isJsonObject(toolUsage) ? toolUsage['web_search'] : undefined;
  if (isJsonObject(reported)) {
    const requests = reported['num_requests'];
    return typeof requests === 'number' && requests > 0 ? Math.floor(requests) : 0;
  }
  if (!Array.isArray(output)) return 0;
  return output.filter((item) => isJsonObject(item) && isSearch(item)).length;
}

/** Opening a page that was found is free. */
function isSearch({ type, action }: JsonObject): boolean {
  if (type !== 'web_search_call') return false;
  return !isJsonObject(action) || action['type'] === undefined || action['type'] === 'search';
}

/** Counts as Responses words them. */
export function usageObject(counts: TokenCounts): OwnJsonObject {
  const { input, cachedInput, cacheWrite, output, reasoning } = counts;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

const COUNT_FIELDS = ['input_tokens', 'output_tokens', 'total_tokens'] as const;

/**
 * Makes the `usage` of a response fit for the client: in the words of Responses, and without the
 * upstream's own price. Returns whether something was changed.
 */
export function fixUsage(response: OwnJsonObject, reported: TokenCounts | null): boolean {
  const { usage } = response;
  if (!isOwnJsonObject(usage)) return false;
  let changed = dropPurchasePrice(usage);
  if (reported !== null && !COUNT_FIELDS.every((name) => typeof usage[name] === 'number')) {
    Object.assign(usage, usageObject(reported));
    changed = true;
  }
  return changed;
}
