import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { tierName } from '../fields/tier-name.ts';
import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';

/**
 * Merges the reports of a stream. They are cumulative: a later report is in force, except where it
 * leaves out or reports as null. A zero erases nothing that an earlier report counted: some servers
 * fill in all fields of each report. Only a report of a prompt that is as long as before moves
 * tokens from one kind to another, such as from writes to reads. The split of cache writes often
 * comes with the first report only, and their total with each: where the total has changed, the
 * split follows it.
 */
export function mergeUsage(known: JsonObject, later: JsonObject): JsonObject {
  const merged: OwnJsonObject = { ...known };
  const restatesPrompt = promptOf({ ...known, ...withoutNulls(later) }) >= promptOf(known);
  for (const [name, value] of Object.entries(later)) {
    if (value === null) continue;
    const moves = restatesPrompt && PROMPT_FIELDS.has(name);
    if (!moves && countsNothing(value) && !countsNothing(known[name])) continue;
    merged[name] = isCountAsText(value) ? Number(value) : value;
  }
  const total = later['cache_creation_input_tokens'];
  if (total === undefined || total === null || isJsonObject(later['cache_creation'])) return merged;
  const written = numberOf(merged, 'cache_creation_input_tokens');
  const hour = Math.min(hourWrites(merged), written);
  merged['cache_creation'] = {
    ephemeral_5m_input_tokens: written - hour,
    ephemeral_1h_input_tokens: hour,
  };
  return merged;
}

const PROMPT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
const PROMPT_FIELDS: ReadonlySet<string> = new Set([...PROMPT_COUNTS, 'cache_creation']);

function promptOf(usage: JsonObject): number {
  return sum(PROMPT_COUNTS, (name) => numberOf(usage, name));
}

function withoutNulls(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}

/** Reports whether a count, or each count of an object, is zero or absent. */
function countsNothing(value: unknown): boolean {
  if (isJsonObject(value)) return Object.values(value).every(countsNothing);
  return value === undefined || value === null || value === 0 || value === '0';
}

/** Reports whether a report has zeros where an earlier one has counted something. */
export function understates(report: JsonObject, merged: JsonObject): boolean {
  return Object.entries(report).some(
    ([name, value]) => value !== null && countsNothing(value) && !countsNothing(merged[name]),
  );
}

/**
 * Reads a `usage` object. Anthropic's `input_tokens` leaves out what was read from a cache or
 * written to one; `TokenCounts.input` has all of it. Undefined when it reports no tokens at all.
 */
export function readUsage(usage: unknown): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const entries = [usage, ...apartFromSums(usage)];
  const read = sum(entries, (entry) => numberOf(entry, 'cache_read_input_tokens'));
  const hour = sum(entries, hourWrites);
  const fiveMinutes = sum(entries, fiveMinuteWrites);
  const uncached = sum(entries, (entry) => numberOf(entry, 'input_tokens'));
  const output = sum(entries, (entry) => numberOf(entry, 'output_tokens'));
  const input = uncached + read + fiveMinutes + hour;
  if (input === 0 && output === 0) return undefined;
  const searches = numberOf(objectOf(usage['server_tool_use']), 'web_search_requests');
  // `fast` is billed whatever the capacity it is served from.
  const tier = tierName(usage['speed']) ?? tierName(usage['service_tier']);
  const extra = {
    ...(hour > 0 ? { cacheWrite1h: hour } : {}),
    ...(searches > 0 ? { webSearch: searches } : {}),
  };
  return {
    input,
    cachedInput: read,
    cacheWrite: fiveMinutes,
    output,
    reasoning: numberOf(objectOf(usage['output_tokens_details']), 'thinking_tokens'),
    ...(hour > 0 || searches > 0 ? { extra } : {}),
    ...(tier === undefined ? {} : { tier }),
  };
}

/** Returns counts in Anthropic's own rules, for its clients. */
export function usageObject(counts: TokenCounts): OwnJsonObject {
  const { input, cachedInput, cacheWrite, output, reasoning, extra = {} } = counts;
  const { cacheWrite1h: hour = 0, webSearch = 0 } = extra;
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite - hour),
    cache_creation_input_tokens: cacheWrite + hour,
    cache_read_input_tokens: cachedInput,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: hour },
    output_tokens: output,
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
    ...(webSearch > 0 ? { server_tool_use: { web_search_requests: webSearch } } : {}),
  };
}

/**
 * Samplings whose tokens the sums of a report leave out: those that have shortened the
 * conversation.
 */
function apartFromSums(usage: JsonObject): JsonObject[] {
  const iterations: unknown = usage['iterations'];
  if (!Array.isArray(iterations)) return [];
  return iterations.filter(isJsonObject).filter(({ type }) => type === 'compaction');
}

function hourWrites(usage: JsonObject): number {
  return numberOf(objectOf(usage['cache_creation']), 'ephemeral_1h_input_tokens');
}

/**
 * Returns the cache writes for five minutes, the default: all that the split does not name
 * otherwise.
 */
function fiveMinuteWrites(usage: JsonObject): number {
  const split = numberOf(objectOf(usage['cache_creation']), 'ephemeral_5m_input_tokens');
  const rest = numberOf(usage, 'cache_creation_input_tokens') - hourWrites(usage);
  return Math.max(split, rest);
}

function sum<Entry>(entries: readonly Entry[], count: (entry: Entry) => number): number {
  return entries.reduce((total, entry) => total + count(entry), 0);
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : NONE;
}

const NONE: JsonObject = {};

/** Servers other than Anthropic's that speak Messages write some of their counts as texts. */
function numberOf(object: JsonObject, name: string): number {
  const value = object[name];
  if (isCountAsText(value)) return Number(value);
  return typeof value === 'number' ? value : 0;
}

const COUNT = /^\d+(?:\.\d+)?$/;

function isCountAsText(value: unknown): boolean {
  return typeof value === 'string' && COUNT.test(value);
}

/** Reports whether a report has counts that clients cannot read. */
export function hasCountsAsText(usage: JsonObject): boolean {
  return Object.values(usage).some(isCountAsText);
}

/** Reports whether a report counts the output. */
export function countsOutput({ output_tokens: output }: JsonObject): boolean {
  return typeof output === 'number' || isCountAsText(output);
}
