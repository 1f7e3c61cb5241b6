import {
  isJsonObject,
  parseOwnObject,
  type JsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import {
  answeredWithWords,
  heldBack,
  type MadeImage,
  type MadeImages,
  type NotMade,
} from '../../neutral-form/translations/made-images.ts';
import { fieldOf, listOf } from '../fields.ts';
import { readUsage } from '../usage.ts';

/**
 * Ends of a candidate that say nothing about the request: the model has failed, and another attempt
 * may do better.
 */
const SILENT_ENDS: ReadonlySet<unknown> = new Set([
  ...[undefined, null, 'STOP', 'FINISH_REASON_UNSPECIFIED', 'OTHER', 'IMAGE_OTHER'],
  ...['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL'],
  'TOO_MANY_TOOL_CALLS',
]);

/** Reads the images of a reply; undefined when it is none. */
export function readImages(body: Buffer): MadeImages | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(body));
  if (reply === undefined) return undefined;
  const candidates = listOf(fieldOf(reply, 'candidates')).filter((one) => isJsonObject(one));
  const parts = candidates.flatMap(partsOf);
  const images = parts.flatMap(imageOf);
  const notMade = images.length > 0 ? undefined : reasonOf(candidates, parts);
  return { images, usage: readUsage(fieldOf(reply, 'usageMetadata')) ?? null, notMade };
}

/** Images and texts that the model makes while it thinks are drafts. */
function partsOf(candidate: JsonObject): JsonObject[] {
  const content = fieldOf(candidate, 'content');
  if (!isJsonObject(content)) return [];
  const parts = listOf(fieldOf(content, 'parts')).filter((part) => isJsonObject(part));
  return parts.filter((part) => part['thought'] !== true);
}

function imageOf(part: JsonObject): MadeImage[] {
  const inline = fieldOf(part, 'inlineData');
  if (!isJsonObject(inline)) return [];
  const data = fieldOf(inline, 'data');
  const mediaType = fieldOf(inline, 'mimeType');
  if (typeof data !== 'string' || data === '') return [];
  return [{ base64: data, mediaType: typeof mediaType === 'string' ? mediaType : '' }];
}

/** Returns why there is no image; undefined where the reply came to nothing. */
function reasonOf(
  candidates: readonly JsonObject[],
  parts: readonly JsonObject[],
): NotMade | undefined {
  const words = parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
  if (words.trim() !== '') return answeredWithWords(words);
  const [candidate] = candidates;
  const end = candidate && fieldOf(candidate, 'finishReason');
  if (candidate === undefined || typeof end !== 'string' || SILENT_ENDS.has(end)) return undefined;
  const message = fieldOf(candidate, 'finishMessage');
  return heldBack(typeof message === 'string' && message !== '' ? message : end);
}
