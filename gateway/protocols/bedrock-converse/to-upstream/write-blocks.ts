import type { JsonObject } from '../../../platform/json/json-value.ts';
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

/** Documents by the types that the fit lets pass; those that are texts are written as such. */
const DOCUMENT_FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);

/** A result must have content, and no blank text. */
const NO_OUTPUT = 'The tool returned nothing.';

/** Writes content blocks. Bedrock refuses blank texts: they are left out. */
export class BlockWriter {
  readonly #profile: TargetProfile;
  readonly #names = new DocumentNames();

  constructor(profile: TargetProfile) {
    this.#profile = profile;
  }

  /** The blocks of parts, with a cache point behind each that is marked. */
  parts(parts: readonly UserPart[]): JsonObject[] {
    return parts.flatMap((part) => {
      const block = this.#block(part);
      return block === undefined ? [] : this.marked(block, part.type === 'audio' ? {} : part);
    });
  }

  /** A block with the cache point behind it, as far as the model takes one there. */
  marked(block: JsonObject, { cache }: { readonly cache?: CacheMark | undefined }): JsonObject[] {
    const { cachePoints } = this.#profile;
    if (cache === undefined || cachePoints === 'none') return [block];
    const isRefused = cachePoints === 'in_prompt' && block['document'] !== undefined;
    return isRefused ? [block] : [block, cachePoint(cache, this.#profile)];
  }

  /** The content of a tool's result. */
  result(content: ToolResultPart['content']): JsonObject[] {
    const blocks = content.map((part) => this.#block(part)).filter((block) => block !== undefined);
    return blocks.length === 0 ? [{ text: NO_OUTPUT }] : blocks;
  }

  /** Undefined for a blank text, and for what the fit lets pass to no model. */
  #block(part: UserPart): JsonObject | undefined {
    switch (part.type) {
      case 'text':
        return textBlock(part.text);
      case 'image':
        return imageBlock(part);
      case 'audio':
        return undefined;
      case 'file':
        return this.#file(part);
    }
  }

  /**
   * A file that is a text is written as a text. As a document, Bedrock would move it to the front
   * of the message, refuse a cache point behind it, and refuse it for models without documents.
   */
  #file({ source, name }: FilePart): JsonObject | undefined {
    if ('text' in source) {
      return textBlock(name === undefined ? source.text : `${name}\n${source.text}`);
    }
    if ('url' in source) return undefined;
    const format = DOCUMENT_FORMATS.get(source.mediaType);
    const bytes = padded(source.base64);
    return { document: { format, name: this.#names.add(name), source: { bytes } } };
  }
}

function textBlock(text: string): JsonObject | undefined {
  return text.trim() === '' ? undefined : { text };
}

function imageBlock({ source }: ImagePart): JsonObject | undefined {
  if ('url' in source) return undefined;
  const format = source.mediaType.slice('image/'.length);
  return { image: { format, source: { bytes: padded(source.base64) } } };
}

/** AWS reads base64 with its padding alone, which some clients leave out. */
function padded(base64: string): string {
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
}
