import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import { readUsage } from '../openai-family/usage.ts';
import type { TranscriptionRequest } from './from-client/parse-request.ts';
import { measuredMs, msOfSeconds } from './wire/audio-ms.ts';

/** The quantities of a transcript, from which billing takes the model's basis. */
export interface TranscriptUsage {
  readonly counts: TokenCounts;
  /** The upstream has reported no seconds, and the file's container did not settle them either. */
  readonly isEstimate: boolean;
}

/**
 * Reads the usage of a reply: tokens, seconds, or both, of which billing takes what the model is
 * priced by. Seconds that are not reported are measured in the file.
 * @param reply of any format, or the last event of a stream
 */
export function transcriptUsage(
  reply: JsonObject,
  { audio, fileBytes }: TranscriptionRequest,
): TranscriptUsage {
  const usage = isJsonObject(reply['usage']) ? reply['usage'] : {};
  const reported =
    msOfSeconds(usage['seconds']) ??
    msOfSeconds(usage['prompt_audio_seconds']) ??
    msOfSeconds(reply['duration']);
  const measured = measuredMs(audio, fileBytes);
  const isReported = reported !== undefined && reported > 0;
  const second = isReported ? reported : measured.ms;
  const tokens = readUsage({ input_tokens_details: usage['input_token_details'], ...usage });
  const counts = tokens ?? { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  return {
    counts: { ...counts, extra: { ...counts.extra, second } },
    isEstimate: !isReported && measured.isEstimate,
  };
}
