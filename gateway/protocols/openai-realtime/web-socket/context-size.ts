import type { TokenCounts } from '@weir/shared/watch/usage-record';

/** Tokens that the vendor's own instructions may take before anything was said. */
const PREAMBLE_TOKENS = 1_024;
/** Sound of one token, as OpenAI counts what a user says. */
const MS_PER_TOKEN = 100;
/** No vendor counts more tokens for a millisecond: Gemini has 32 a second. */
const MS_PER_TOKEN_MIN = 25;
const BYTES_PER_TOKEN = 4;

/**
 * Follows how many tokens the conversation has, which the next reply reads again. A report says it
 * exactly; what is added until the next one is bounded by its bytes and the length of its sound.
 */
export class ContextSize {
  /** Tokens by the last report. */
  #known = 0;
  #knownAudio = 0;
  #addedMax = PREAMBLE_TOKENS;
  #added = 1;
  #addedAudio = 0;

  get tokensMax(): number {
    return this.#known + this.#addedMax;
  }

  get tokens(): number {
    return this.#known + this.#added + this.#addedAudio;
  }

  get audioTokens(): number {
    return this.#knownAudio + this.#addedAudio;
  }

  addText(bytes: number): void {
    this.#addedMax += bytes;
    this.#added += Math.ceil(bytes / BYTES_PER_TOKEN);
  }

  addSound(ms: number): void {
    this.#addedMax += Math.ceil(ms / MS_PER_TOKEN_MIN);
    this.#addedAudio += Math.ceil(ms / MS_PER_TOKEN);
  }

  /** The reply that was reported is a part of the conversation, too. */
  reported({ input, output, extra = {} }: TokenCounts): void {
    this.#known = input + output;
    this.#knownAudio =
      (extra.audioInput ?? 0) + (extra.cachedAudioInput ?? 0) + (extra.audioOutput ?? 0);
    this.#addedMax = 0;
    this.#added = 0;
    this.#addedAudio = 0;
  }
}
