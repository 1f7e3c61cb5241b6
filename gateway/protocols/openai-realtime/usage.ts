import type { MeterCounts } from '@weir/shared/prices/meters';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';

const NOTHING: JsonObject = {};

/**
 * Reads the usage of a reply. OpenAI counts cached tokens and those of sound and images as parts of
 * the input, and says of which kind the cached ones are: each has a price of its own. Undefined
 * where it reports neither input nor output.
 */
export function readReplyUsage(usage: unknown): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = count(usage, 'input_tokens');
  const output = count(usage, 'output_tokens');
  if (input + output < 1) return undefined;
  const details = part(usage, 'input_token_details', 'input_tokens_details');
  const cachedDetails = part(details, 'cached_tokens_details');
  const outputDetails = part(usage, 'output_token_details', 'output_tokens_details');
  const cached = count(details, 'cached_tokens');
  const cachedAudioInput = Math.min(count(cachedDetails, 'audio_tokens'), cached);
  const cachedImageInput = Math.min(
    count(cachedDetails, 'image_tokens'),
    cached - cachedAudioInput,
  );
  // Where the kinds of cached tokens are not reported, at most the rest is sound or images.
  const plain = Math.max(0, input - cached);
  const audioInput = Math.min(
    Math.max(0, count(details, 'audio_tokens') - cachedAudioInput),
    plain,
  );
  const extra = withoutZeros({
    cachedAudioInput,
    cachedImageInput,
    audioInput,
    imageInput: Math.min(
      Math.max(0, count(details, 'image_tokens') - cachedImageInput),
      plain - audioInput,
    ),
    audioOutput: count(outputDetails, 'audio_tokens'),
  });
  return {
    input,
    cachedInput: cached - cachedAudioInput - cachedImageInput,
    cacheWrite: 0,
    output,
    reasoning: count(outputDetails, 'reasoning_tokens'),
    ...(extra && { extra }),
  };
}

/**
 * Reads the usage of a transcript: tokens, or seconds.
 * @param measuredMs the length of the sound, where no seconds are reported
 */
export function readTranscriptUsage(usage: unknown, measuredMs: number): TokenCounts | undefined {
  if (!isJsonObject(usage)) return undefined;
  const seconds = count(usage, 'seconds');
  const tokens = readReplyUsage(usage);
  if (tokens === undefined && seconds <= 0) return undefined;
  const second = seconds > 0 ? Math.ceil(seconds * 1_000) : measuredMs;
  const counts = tokens ?? { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  return { ...counts, extra: { ...counts.extra, second } };
}

/** Returns counts without zeros; undefined where nothing is left. */
export function withoutZeros(counts: MeterCounts): MeterCounts | undefined {
  const kept = Object.entries(counts).filter(([, value]) => value !== 0);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function part(from: JsonObject, ...names: readonly string[]): JsonObject {
  return names.map((name) => from[name]).find(isJsonObject) ?? NOTHING;
}

/** Other values than numbers, and negative ones, count nothing; `capUsage` bounds the rest. */
function count(from: JsonObject, name: string): number {
  const value = from[name];
  return typeof value === 'number' && value > 0 ? value : 0;
}
