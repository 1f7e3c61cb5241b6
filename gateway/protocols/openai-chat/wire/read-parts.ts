import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { mediaSource } from '../../neutral-form/media-url.ts';
import type { CacheMark, TextPart, UserPart } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';

/**
 * Returns a message's content, a string or an array of parts, as neutral parts. Empty text is left
 * out: Anthropic and Bedrock refuse it.
 * @param param where the content is, such as `messages[2].content`
 */
export function readParts(content: unknown, param: string): UserPart[] | Refusal {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const parts: UserPart[] = [];
  for (const [index, given] of (Array.isArray(content) ? (content as unknown[]) : []).entries()) {
    if (!isJsonObject(given)) continue;
    const part = readPart(given, `${param}[${index}]`);
    if (isRefusal(part)) return part;
    if (part.type !== 'text' || part.text !== '') parts.push(part);
  }
  return parts;
}

/** The same for content that can be nothing but text. */
export function readTexts(content: unknown, param: string): TextPart[] | Refusal {
  const parts = readParts(content, param);
  if (isRefusal(parts)) return parts;
  const texts = parts.filter((part) => part.type === 'text');
  if (texts.length === parts.length) return texts;
  return invalidValue(param, `"${param}" may contain text only. Put media into a user message.`);
}

function readPart(part: JsonObject, param: string): UserPart | Refusal {
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: stringOf(part['text']), ...cacheMark(part) };
    case 'refusal':
      return { type: 'text', text: stringOf(part['refusal']) };
    case 'image_url':
      return readImage(part, param);
    case 'input_audio':
      return readAudio(part['input_audio'], param);
    case 'file':
      return readFile(part, param);
    default:
      return invalidValue(
        `${param}.type`,
        `This model is served by an upstream that has no "${stringOf(part['type'])}" parts. Send "text", "image_url", "input_audio" or "file".`,
      );
  }
}

const IMAGE_DETAILS = ['low', 'high', 'auto', 'original'] as const;

function readImage(part: JsonObject, param: string): UserPart | Refusal {
  const image = part['image_url'];
  const url = isJsonObject(image) ? stringOf(image['url']) : stringOf(image);
  if (url === '') {
    return invalidValue(`${param}.image_url`, `"${param}.image_url.url" is missing. Send a URL.`);
  }
  const given = isJsonObject(image) ? image['detail'] : undefined;
  const detail = IMAGE_DETAILS.find((name) => name === given);
  return {
    type: 'image',
    source: mediaSource(url),
    ...(detail === undefined ? {} : { detail }),
    ...cacheMark(part),
  };
}

function readAudio(audio: unknown, param: string): UserPart | Refusal {
  if (!isJsonObject(audio) || typeof audio['data'] !== 'string') {
    return invalidValue(
      `${param}.input_audio`,
      `"${param}.input_audio.data" is missing. Send the audio as base64.`,
    );
  }
  return { type: 'audio', base64: audio['data'], format: stringOf(audio['format']) };
}

function readFile(part: JsonObject, param: string): UserPart | Refusal {
  const file = isJsonObject(part['file']) ? part['file'] : {};
  const data = stringOf(file['file_data']);
  if (data === '') {
    return invalidValue(
      `${param}.file`,
      `"${param}.file.file_data" is missing. Send the file itself as a data: URL; files that were uploaded to a vendor cannot be used here.`,
    );
  }
  const source = mediaSource(data);
  const name = stringOf(file['filename']);
  return {
    type: 'file',
    // Some clients send bare base64.
    source: 'url' in source ? { base64: data, mediaType: 'application/pdf' } : source,
    ...(name === '' ? {} : { name }),
    ...cacheMark(part),
  };
}

/**
 * Both marks in use: OpenAI's `prompt_cache_breakpoint`, and Anthropic's `cache_control`, which
 * OpenRouter and LiteLLM take in chat completions. An hour has a price of its own, for which only
 * requests of Messages hold.
 */
export function cacheMark(part: JsonObject): { readonly cache?: CacheMark } {
  const control = part['cache_control'] ?? part['prompt_cache_breakpoint'];
  if (!isJsonObject(control)) return {};
  return { cache: { ttl: '5m' } };
}
