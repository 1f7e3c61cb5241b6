import { redactSecrets } from '@weir/shared/redact-secrets';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { mediaSource } from '../../neutral-form/media-url.ts';
import type {
  AudioPart,
  FilePart,
  ImagePart,
  TextPart,
  UserPart,
} from '../../neutral-form/request.ts';

const DETAILS: ReadonlySet<unknown> = new Set(['low', 'high', 'auto', 'original']);

/** Reads the content of a message: a text, or parts. */
export function readParts(content: unknown, param: string): UserPart[] | Refusal {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const parts: UserPart[] = [];
  for (const [index, part] of objectsOf(content).entries()) {
    const read = readPart(part, `${param}[${index}]`);
    if (isRefusal(read)) return read;
    parts.push(read);
  }
  return parts;
}

/** All text of a content, such as that of a system message. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  return objectsOf(content)
    .map((part) => stringOf(part['text']) || stringOf(part['refusal']))
    .filter((text) => text !== '');
}

/** The output of a tool: text, images and files. */
export function readOutput(
  output: unknown,
  param: string,
): (TextPart | ImagePart | FilePart)[] | Refusal {
  if (isJsonObject(output)) return [{ type: 'text', text: JSON.stringify(output) }];
  const parts = readParts(output, param);
  if (isRefusal(parts)) return parts;
  return parts.filter((part) => part.type !== 'audio');
}

function readPart(part: JsonObject, param: string): UserPart | Refusal {
  const { type, text, refusal } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (typeof refusal === 'string') return { type: 'text', text: refusal };
  switch (type) {
    case 'input_image':
    case 'computer_screenshot':
      return readImage(part, param);
    case 'input_file':
      return readFile(part, param);
    case 'input_audio':
      return readAudio(part, param);
    default:
      return invalidValue(
        `${param}.type`,
        `The upstreams of this model take no parts of the type "${redactSecrets(stringOf(type)).slice(0, 64)}". Send text, images, files or audio.`,
      );
  }
}

function readImage({ image_url: url, detail }: JsonObject, param: string): ImagePart | Refusal {
  if (typeof url !== 'string') {
    return invalidValue(`${param}.image_url`, `"${param}.image_url" must be a URL.`);
  }
  const known = DETAILS.has(detail) ? { detail: detail as NonNullable<ImagePart['detail']> } : {};
  return { type: 'image', source: mediaSource(url), ...known };
}

const PDF = 'application/pdf';

function readFile(part: JsonObject, param: string): FilePart | Refusal {
  const { file_data: data, file_url: url, filename } = part;
  const named = typeof filename === 'string' ? { name: filename } : {};
  if (typeof data === 'string') {
    const source = data.startsWith('data:') ? mediaSource(data) : { base64: data, mediaType: PDF };
    return { type: 'file', source, ...named };
  }
  if (typeof url === 'string') return { type: 'file', source: mediaSource(url), ...named };
  return invalidValue(`${param}.file_data`, `"${param}" has neither "file_data" nor "file_url".`);
}

function readAudio({ input_audio: audio }: JsonObject, param: string): AudioPart | Refusal {
  if (!isJsonObject(audio)) {
    return invalidValue(`${param}.input_audio`, `"${param}.input_audio" must be an object.`);
  }
  return { type: 'audio', base64: stringOf(audio['data']), format: stringOf(audio['format']) };
}
