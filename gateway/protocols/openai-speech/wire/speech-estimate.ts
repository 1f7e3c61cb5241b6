import type { SoundFormat } from './sound-format.ts';

/**
 * Bytes of a second of speech. Exact for `pcm` and `wav`; the bit rates at which OpenAI's speech
 * comes for the others, of which encoders choose their own.
 */
const BYTES_PER_SECOND: Readonly<Record<SoundFormat, number>> = {
  pcm: 48_000,
  wav: 48_000,
  mp3: 16_000,
  aac: 12_000,
  opus: 6_000,
  flac: 24_000,
};

/** OpenAI's figures for gpt-4o-mini-tts: $0.015 a minute at $12 for 1,000,000 tokens. */
const TOKENS_PER_SECOND = 1_250 / 60;

/** Characters that a fast voice speaks in a second, in languages with an alphabet. */
const CHARACTERS_PER_SECOND = 15;

/** About as many tokens as speech of so many bytes has; at least one. */
export function speechTokens(bytes: number, format: SoundFormat): number {
  return Math.ceil((bytes / BYTES_PER_SECOND[format]) * TOKENS_PER_SECOND);
}

/** About as many characters as speech of so many bytes says. */
export function spokenCharacters(bytes: number, format: SoundFormat, speed: number): number {
  const perSecond = CHARACTERS_PER_SECOND * Math.max(1, speed);
  return Math.ceil((bytes / BYTES_PER_SECOND[format]) * perSecond);
}
