import type { TokenCounts } from '@weir/shared/usage-record';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';

/**
 * Token counts as an upstream reported them: numbers, but perhaps impossible ones. `capUsage` turns
 * them into counts that can be billed.
 */
export type ReportedUsage = TokenCounts;

/**
 * Reads a `usage` object, whichever of the names in use it has. Answers undefined when it reports
 * neither prompt nor completion tokens, or zero of both, as some servers do until the end of a stream.
 */
export function readUsage(usage: unknown): ReportedUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = firstNumber(usage, ['prompt_tokens', 'input_tokens']);
  const completion = firstNumber(usage, ['completion_tokens', 'output_tokens']);
  const total = firstNumber(usage, ['total_tokens']);
  if (prompt === undefined && completion === undefined) return undefined;
  const input = prompt ?? difference(total, completion);
  const promptDetails = details(usage, ['prompt_tokens_details', 'input_tokens_details']);
  const completionDetails = details(usage, ['completion_tokens_details', 'output_tokens_details']);
  const cachedInput =
    firstNumber(promptDetails, ['cached_tokens']) ??
    firstNumber(usage, ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens']) ??
    0;
  const cacheWrite =
    firstNumber(promptDetails, ['cache_write_tokens', 'cache_creation_tokens']) ??
    firstNumber(usage, ['cache_creation_input_tokens', 'cache_write_tokens']) ??
    0;
  const named =
    firstNumber(completionDetails, ['reasoning_tokens']) ??
    firstNumber(usage, ['reasoning_tokens']);
  const counted = completion ?? difference(total, input);
  const beyond = (total ?? 0) - input - counted;
  const apart = isReasoningApart({ beyond, named, cachedInput, cacheWrite });
  const output = apart ? counted + beyond : counted;
  if (input === 0 && output === 0) return undefined;
  return { input, cachedInput, cacheWrite, output, reasoning: named ?? (apart ? beyond : 0) };
}

/**
 * Whether what the total has beyond prompt and completion is reasoning, which the upstream charges as output. xAI leaves
 * reasoning out of the completion and names it; Google leaves it out and names it nowhere. Not so where the upstream says
 * how much reasoning there was and means something else, and where the total counts a cache beside the prompt.
 */
function isReasoningApart(report: {
  readonly beyond: number;
  readonly named: number | undefined;
  readonly cachedInput: number;
  readonly cacheWrite: number;
}): boolean {
  const { beyond, named, cachedInput, cacheWrite } = report;
  if (beyond <= 0 || !Number.isSafeInteger(beyond)) return false;
  if (named !== undefined) return beyond === named;
  return beyond !== cachedInput && beyond !== cacheWrite && beyond !== cachedInput + cacheWrite;
}

function difference(total: number | undefined, part: number | undefined): number {
  return total === undefined || part === undefined ? 0 : Math.max(0, total - part);
}

function details(usage: JsonObject, names: readonly string[]): JsonObject {
  for (const name of names) {
    const value = usage[name];
    if (isJsonObject(value)) return value;
  }
  return NO_DETAILS;
}

const NO_DETAILS: JsonObject = {};

/** The first field that is a number, or a string that spells one. */
function firstNumber(object: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'number') return value;
    if (typeof value === 'string' && value.trim() !== '') {
      const spelt = Number(value);
      if (!Number.isNaN(spelt)) return spelt;
    }
  }
  return undefined;
}

export interface UsageLimits {
  /** The most tokens the model takes as a prompt. */
  readonly contextTokensMax: number;
  /** The most tokens the model produces in one choice. */
  readonly outputTokensMax: number;
  readonly choices: number;
}

/**
 * Counts that can be billed: whole, not negative, within what the model can do, parts not larger than
 * their whole. `capped` tells that something had to be changed: one absurd report must not empty an
 * account, and the operator should see it.
 */
export function capUsage(
  reported: ReportedUsage,
  { contextTokensMax, outputTokensMax, choices }: UsageLimits,
): { readonly counts: TokenCounts; readonly capped: boolean } {
  const input = wholeWithin(reported.input, contextTokensMax);
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
