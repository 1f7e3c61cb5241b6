import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import type {
  CacheMark,
  FilePart,
  ImagePart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';
import { cachePoint } from './cache-points.ts';
import { DocumentNames } from './document-names.ts';

/** Images by their type. */
const IMAGE_FORMATS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);

/** Documents by their type; those that are texts are written as such. */
const DOCUMENT_FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);

const SHOWN_CHARACTERS = 64;
/** A result must have content, and no blank text. */
const NO_OUTPUT = 'The tool returned nothing.';

/** Writes content blocks. Bedrock refuses blank texts: they are left out. */
export class BlockWriter {
  /** The first part that Converse has no place for, if any. */
  refusal: Refusal | undefined;
  readonly #profile: TargetProfile;
  readonly #names = new DocumentNames();

  constructor(profile: TargetProfile) {
    this.#profile = profile;
  }

  /** The blocks of parts, with a cache point behind each that is marked. */
  parts(parts: readonly UserPart[]): JsonObject[] {
    return parts.flatMap((part) => {
      const block = this.#block(part);
      if (typeof block === 'string') {
        this.refusal ??= invalidValue('messages', `The upstream of this model ${block}`);
        return [];
      }
      if (block === undefined) return [];
      return this.marked(block, part.type === 'audio' ? {} : part);
    });
  }

  /** A block with the cache point behind it, as far as the model takes one there. */
  marked(block: JsonObject, { cache }: { readonly cache?: CacheMark | undefined }): JsonObject[] {
    const { cachePoints } = this.#profile;
    if (cache === undefined || cachePoints === 'none') return [block];
    const isRefused = cachePoints === 'in_prompt' && block['document'] !== undefined;
    return isRefused ? [block] : [block, cachePoint(cache, this.#profile)];
  }

  /** The content of a tool's result; what cannot be read in it becomes a note. */
  result(content: ToolResultPart['content']): JsonObject[] {
    const blocks = content.flatMap((part): JsonObject[] => {
      const block = this.#block(part);
      if (block === undefined) return [];
      if (typeof block !== 'string') return [block];
      return [
        { text: `[The ${part.type} that was here has been left out: the upstream ${block}]` },
      ];
    });
    return blocks.length === 0 ? [{ text: NO_OUTPUT }] : blocks;
  }

  /**
   * Returns undefined for a blank text, and for what Converse has no place for what follows "The
   * upstream of this model".
   */
  #block(part: UserPart): JsonObject | string | undefined {
    switch (part.type) {
      case 'text':
        return textBlock(part.text);
      case 'image':
        return imageBlock(part);
      case 'audio':
        return 'does not take audio. Send its transcript as text.';
      case 'file':
        return this.#file(part);
    }
  }

  /**
   * A file that is a text is written as a text. As a document, Bedrock would move it to the front
   * of the message, refuse a cache point behind it, and refuse it for models without documents.
   */
  #file({ source, name }: FilePart): JsonObject | string | undefined {
    if ('text' in source) {
      return textBlock(name === undefined ? source.text : `${name}\n${source.text}`);
    }
    if ('url' in source) {
      return 'fetches no files. Send the bytes of the file as base64, not its URL.';
    }
    const { mediaType, base64 } = source;
    if (IMAGE_FORMATS.has(mediaType)) return imageBlock({ source });
    const format = DOCUMENT_FORMATS.get(mediaType);
    if (format === undefined) {
      return `takes PDF, Word and Excel files, texts and images, not "${shown(mediaType)}".`;
    }
    return { document: { format, name: this.#names.add(name), source: { bytes: padded(base64) } } };
  }
}

function textBlock(text: string): JsonObject | undefined {
  return text.trim() === '' ? undefined : { text };
}

function imageBlock({ source }: Pick<ImagePart, 'source'>): JsonObject | string {
  if ('url' in source) {
    return 'fetches no images. Send the bytes of the image as base64, not its URL.';
  }
  const format = IMAGE_FORMATS.get(source.mediaType);
  if (format === undefined) {
    return `takes PNG, JPEG, GIF and WebP images, not "${shown(source.mediaType)}".`;
  }
  return { image: { format, source: { bytes: padded(source.base64) } } };
}

/** AWS reads base64 with its padding alone, which some clients leave out. */
function padded(base64: string): string {
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
}

function shown(mediaType: string): string {
  return redactSecrets(mediaType).slice(0, SHOWN_CHARACTERS);
}
