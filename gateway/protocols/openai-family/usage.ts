import type { MeterCounts } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { tierName } from '../fields/tier-name.ts';
import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';

/**
 * Token counts as an upstream reported them: numbers, but perhaps impossible ones. `capUsage` turns
 * them into counts that can be billed.
 */
export type ReportedUsage = TokenCounts;

/**
 * Reads a `usage` object, whichever of the names in use it has. `input` has the whole prompt, also
 * what some servers report alongside it because it was read from a cache or written to one. Returns
 * undefined when it reports neither prompt nor completion tokens, or not one of both, as some
 * servers do until the end of a stream.
 * @param serviceTier as the reply names it, alongside its usage
 */
export function readUsage(usage: unknown, serviceTier?: unknown): ReportedUsage | undefined {
  const counts = readCounts(usage);
  const tier = tierName(serviceTier);
  return counts === undefined || tier === undefined ? counts : { ...counts, tier };
}

function readCounts(usage: unknown): ReportedUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const total = firstNumber(usage, ['total_tokens']);
  const completion = firstNumber(usage, ['completion_tokens', 'output_tokens']);
  const named = firstNumber(usage, ['prompt_tokens', 'input_tokens']);
  if (named === undefined && completion === undefined) return undefined;
  // No prompt is empty: a total that counts more than the completion knows of one.
  const prompt = named === undefined || named === 0 ? difference(total, completion) : named;
  const promptDetails = details(usage, ['prompt_tokens_details', 'input_tokens_details']);
  const cachedInput =
    firstNumber(promptDetails, ['cached_tokens']) ??
    firstNumber(usage, ['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens']) ??
    0;
  const cacheWrite =
    firstNumber(promptDetails, CACHE_WRITE_DETAILS) ??
    firstNumber(usage, ['cache_creation_input_tokens', 'cache_write_tokens']) ??
    0;
  const outputDetails = details(usage, ['completion_tokens_details', 'output_tokens_details']);
  const reasoning =
    firstNumber(outputDetails, ['reasoning_tokens']) ?? firstNumber(usage, ['reasoning_tokens']);
  // What the total counts besides prompt and completion. Without a completion it is unknown.
  const surplus =
    total === undefined || completion === undefined ? undefined : total - prompt - completion;
  const parts = { usage, promptDetails, prompt, cachedInput, cacheWrite, reasoning, surplus };
  const outside = outsidePrompt(parts);
  const input = prompt + outside;
  const apart = reasoningApart(parts, outside);
  const output = completion === undefined ? difference(total, input) : completion + apart;
  if (input < 1 && output < 1) return undefined;
  const counts = { input, cachedInput, cacheWrite, output, reasoning: reasoning ?? apart };
  const extra = mediaIn(promptDetails, outputDetails, input - cachedInput - cacheWrite);
  return extra === undefined ? counts : { ...counts, extra };
}

/**
 * Audio and images, which OpenAI counts as parts of prompt and completion; undefined when there are
 * none. Cached tokens are not reported by kind: they keep the price of the cache, and at most the
 * rest of the prompt is audio or images.
 */
function mediaIn(
  promptDetails: JsonObject,
  outputDetails: JsonObject,
  plainInput: number,
): MeterCounts | undefined {
  const audioInput = Math.min(firstNumber(promptDetails, ['audio_tokens']) ?? 0, plainInput);
  const imageInput = Math.min(
    firstNumber(promptDetails, ['image_tokens']) ?? 0,
    plainInput - audioInput,
  );
  const audioOutput = firstNumber(outputDetails, ['audio_tokens']) ?? 0;
  const imageOutput = firstNumber(outputDetails, ['image_tokens']) ?? 0;
  if (audioInput <= 0 && imageInput <= 0 && audioOutput <= 0 && imageOutput <= 0) return undefined;
  return {
    ...(audioInput > 0 && { audioInput }),
    ...(imageInput > 0 && { imageInput }),
    ...(audioOutput > 0 && { audioOutput }),
    ...(imageOutput > 0 && { imageOutput }),
  };
}

/** OpenAI, LiteLLM, DashScope and new-api each have a name of their own. */
const CACHE_WRITE_DETAILS = [
  'cache_write_tokens',
  'cache_creation_tokens',
  'cache_creation_input_tokens',
  'cached_creation_tokens',
];

/** Counts as OpenAI words them, for a client whose upstream reported none. */
export function usageObject(counts: TokenCounts): OwnJsonObject {
  const { input, cachedInput, cacheWrite, output, reasoning, extra } = counts;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cachedInput,
      cache_write_tokens: cacheWrite + (extra?.cacheWrite1h ?? 0),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/**
 * Makes a `usage` object fit for the client: in the words that clients read, and without the
 * upstream's own price. `reported` is what was read from it, if anything. Returns whether something
 * was changed.
 */
export function fixUsage(usage: OwnJsonObject, reported: ReportedUsage | undefined): boolean {
  const rewritten = reported !== undefined && spellUsage(usage, reported);
  return dropPurchasePrice(usage) || rewritten;
}

/**
 * Brings a `usage` object into the words that clients read, when it has others alone, such as
 * Anthropic's, or counts in strings: AI SDK fails on those behind the last word of a stream.
 * Returns whether something was changed.
 */
function spellUsage(usage: OwnJsonObject, reported: ReportedUsage): boolean {
  if (COUNT_FIELDS.every((name) => typeof usage[name] === 'number')) return false;
  Object.assign(usage, usageObject(reported));
  return true;
}

const COUNT_FIELDS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/**
 * The upstream's own price that some report alongside the tokens: OpenRouter (the first three),
 * DeepInfra, xAI. It is what the operator pays, and not for customers.
 */
const PURCHASE_FIELDS = [
  'cost',
  'cost_details',
  'is_byok',
  'estimated_cost',
  'cost_in_usd_ticks',
] as const;

/** Takes the upstream's own price off a `usage` object. Returns whether there was any. */
export function dropPurchasePrice(usage: OwnJsonObject): boolean {
  let dropped = false;
  for (const name of PURCHASE_FIELDS) {
    if (usage[name] === undefined) continue;
    Reflect.deleteProperty(usage, name);
    dropped = true;
  }
  return dropped;
}

interface ReportParts {
  readonly usage: JsonObject;
  readonly promptDetails: JsonObject;
  readonly prompt: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly reasoning: number | undefined;
  readonly surplus: number | undefined;
}

/**
 * Input that the report counts outside its prompt and not in it. OpenAI's prompt has everything in
 * it; servers that translate Anthropic's interface often hand its `input_tokens` on, which leaves
 * out what was read from a cache or written to one. A total shows which it is, so do parts larger
 * than their whole, and where nothing does Anthropic's own names.
 */
function outsidePrompt(parts: ReportParts): number {
  const { usage, promptDetails, prompt, cachedInput, cacheWrite, reasoning, surplus } = parts;
  const cache = cachedInput + cacheWrite;
  if (surplus !== undefined && surplus > 0 && surplus !== reasoning) {
    const media = sumOf(promptDetails, ['audio_tokens', 'image_tokens', 'video_tokens']);
    const known = [cache, cachedInput, cacheWrite, media].includes(surplus);
    if (known && cache <= prompt + surplus) return surplus;
  }
  if (cache > prompt) return cache;
  const anthropic =
    firstNumber(usage, ['prompt_tokens']) === undefined &&
    (usage['cache_read_input_tokens'] !== undefined ||
      usage['cache_creation_input_tokens'] !== undefined);
  return anthropic && surplus !== 0 ? cache : 0;
}

/**
 * Reasoning that the completion leaves out and the upstream charges as output. xAI names it; Google
 * reports it in the total alone. A surplus is something else where the upstream says how much
 * reasoning there was, and where it has heard audio, which Mistral charges by the second.
 */
function reasoningApart({ usage, reasoning, surplus = 0 }: ReportParts, outside: number): number {
  const unexplained = surplus < outside ? surplus : surplus - outside;
  if (unexplained <= 0 || !Number.isSafeInteger(unexplained)) return 0;
  if (reasoning !== undefined) return unexplained === reasoning ? unexplained : 0;
  return (firstNumber(usage, ['prompt_audio_seconds']) ?? 0) > 0 ? 0 : unexplained;
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

function sumOf(object: JsonObject, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (firstNumber(object, [name]) ?? 0), 0);
}

/** The first field that is a number, or a string that spells one. */
function firstNumber(object: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'number') return value;
    if (typeof value === 'string' && value.trim() !== '') {
      const number = Number(value);
      if (!Number.isNaN(number)) return number;
    }
  }
  return undefined;
}
