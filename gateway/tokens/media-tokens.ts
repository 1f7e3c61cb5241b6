import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';
import { MEDIA_PART_TOKENS_MAX } from './prompt-upper-bound.ts';

/** gpt-4o counts 85 for an image in low detail, and 170 more for each of its tiles, of which eight are the most. */
export const IMAGE_LOW_TOKENS = 85;
const IMAGE_TOKENS = 85 + 8 * 170;

/** gpt-4o-mini counts the same picture 33 times as dear: 2833 in low detail, 5667 for each tile. */
const MINI_IMAGE_MODEL = /(?:^|[/:])gpt-4o-mini/i;
const MINI_IMAGE_LOW_TOKENS = 2_833;

/**
 * OpenAI counts ten tokens for a second of audio that a user sends. MP3 has about 16,000 bytes in a second
 * (128 kbit/s), WAV about 48,000 (24 kHz, 16 bits, one channel).
 */
const MP3_BYTES_PER_TOKEN = 1_600;
const WAV_BYTES_PER_TOKEN = 4_800;
const BASE64_LETTERS_PER_BYTE = 4 / 3;

/** Anthropic counts up to 3,000 tokens for a page of a document; three pages are assumed. */
const FILE_TOKENS = 3 * 3_000;

/**
 * An estimate of the tokens of a content part that is not text: its bytes do not show them, and each vendor
 * counts them in another way. Never more than MEDIA_PART_TOKENS_MAX and the bytes of the part together.
 */
export function mediaPartTokens(model: string, part: JsonObject): number {
  switch (part['type']) {
    case 'input_audio':
      return audioTokens(part['input_audio']);
    case 'file':
      return FILE_TOKENS;
    case 'image_url':
      return imageTokens(model, part['image_url']);
    default:
      return IMAGE_TOKENS;
  }
}

function imageTokens(model: string, image: unknown): number {
  const low = isJsonObject(image) && image['detail'] === 'low';
  if (MINI_IMAGE_MODEL.test(model)) return low ? MINI_IMAGE_LOW_TOKENS : MEDIA_PART_TOKENS_MAX;
  return low ? IMAGE_LOW_TOKENS : IMAGE_TOKENS;
}

function audioTokens(audio: unknown): number {
  const { data, format } = isJsonObject(audio) ? audio : {};
  if (typeof data !== 'string') return 0;
  const bytesPerToken = format === 'wav' ? WAV_BYTES_PER_TOKEN : MP3_BYTES_PER_TOKEN;
  return Math.ceil(data.length / BASE64_LETTERS_PER_BYTE / bytesPerToken);
}
