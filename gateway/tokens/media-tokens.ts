import { MEDIA_PART_TOKENS_MAX } from './prompt-upper-bound.ts';

/**
 * gpt-4o counts 85 for an image in low detail, and 170 more for each of its tiles, of which eight
 * are the most.
 */
export const IMAGE_LOW_TOKENS = 85;
const IMAGE_TOKENS = 85 + 8 * 170;
/** Assumed for a part of an unknown kind. */
export const OTHER_MEDIA_TOKENS = IMAGE_TOKENS;

/** gpt-4o-mini counts the same image 33 times as dear: 2833 in low detail, 5667 for each tile. */
const MINI_IMAGE_MODEL = /(?:^|[/:])gpt-4o-mini/i;
const MINI_IMAGE_LOW_TOKENS = 2_833;

/**
 * OpenAI counts ten tokens for a second of audio that a user sends. MP3 has about 16,000 bytes in a
 * second (128 kbit/s), WAV about 48,000 (24 kHz, 16 bits, one channel).
 */
const MP3_BYTES_PER_TOKEN = 1_600;
const WAV_BYTES_PER_TOKEN = 4_800;
const BASE64_LETTERS_PER_BYTE = 4 / 3;

/** Anthropic counts up to 3,000 tokens for a page of a document; three pages are assumed. */
export const FILE_TOKENS = 3 * 3_000;

/**
 * An estimate of an image's tokens: its bytes do not show them, and each vendor counts them in
 * another way.
 */
export function imageTokens(model: string, lowDetail: boolean): number {
  if (MINI_IMAGE_MODEL.test(model))
    return lowDetail ? MINI_IMAGE_LOW_TOKENS : MEDIA_PART_TOKENS_MAX;
  return lowDetail ? IMAGE_LOW_TOKENS : IMAGE_TOKENS;
}

/**
 * An estimate of the tokens of audio.
 * @param data in base64
 * @param format `wav`, or a compressed one
 */
export function audioTokens(data: unknown, format: unknown): number {
  if (typeof data !== 'string') return 0;
  const bytesPerToken = format === 'wav' ? WAV_BYTES_PER_TOKEN : MP3_BYTES_PER_TOKEN;
  return Math.ceil(data.length / BASE64_LETTERS_PER_BYTE / bytesPerToken);
}
