import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { CacheMark, FilePart, MediaSource, UserPart } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';

/** Writes content blocks. */
export class BlockWriter {
  /** The first thing that Messages cannot do, if any. */
  refusal: Refusal | undefined;

  /**
   * Blocks of these parts. Texts of nothing but white space are left out: Anthropic refuses them.
   */
  parts(parts: readonly UserPart[]): JsonObject[] {
    return parts.flatMap((part) => this.#part(part));
  }

  /**
   * A cache mark, always for five minutes: an hour has a price of its own, for which only requests
   * of this protocol hold.
   */
  mark(cache: CacheMark | undefined): JsonObject {
    return cache === undefined ? {} : { cache_control: { type: 'ephemeral' } };
  }

  #part(part: UserPart): JsonObject[] {
    switch (part.type) {
      case 'text':
        return part.text.trim() === ''
          ? []
          : [{ type: 'text', text: part.text, ...this.mark(part.cache) }];
      case 'image':
        return [{ type: 'image', source: sourceOf(part.source), ...this.mark(part.cache) }];
      case 'audio':
        this.refusal ??= invalidValue(
          'messages',
          'The upstream of this model does not take audio. Send its transcript as text.',
        );
        return [];
      case 'file':
        return this.#file(part);
    }
  }

  #file({ source, name, cache }: FilePart): JsonObject[] {
    const shared = { ...(name === undefined ? {} : { title: name }), ...this.mark(cache) };
    const text = textOf(source);
    if (text !== undefined) {
      const plain = { type: 'text', media_type: 'text/plain', data: text };
      return [{ type: 'document', source: plain, ...shared }];
    }
    if ('base64' in source) {
      if (source.mediaType.startsWith('image/')) {
        return [{ type: 'image', source: sourceOf(source), ...this.mark(cache) }];
      }
      if (source.mediaType !== 'application/pdf') {
        this.refusal ??= invalidValue(
          'messages',
          `The upstream of this model takes PDF files, texts and images, not "${redactSecrets(source.mediaType).slice(0, 64)}".`,
        );
      }
    }
    return 'text' in source ? [] : [{ type: 'document', source: sourceOf(source), ...shared }];
  }
}

function sourceOf(source: MediaSource): JsonObject {
  return 'url' in source
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.base64 };
}

/** The text that a file is; undefined of any other. */
function textOf(source: FilePart['source']): string | undefined {
  if ('text' in source) return source.text;
  const isText = 'base64' in source && /^(?:text\/|application\/json)/.test(source.mediaType);
  return isText ? Buffer.from(source.base64, 'base64').toString('utf8') : undefined;
}
