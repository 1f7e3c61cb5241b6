import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { CacheMark, FilePart, MediaSource, UserPart } from '../../neutral-form/request.ts';

/**
 * Returns the content blocks of parts. Texts of nothing but white space are left out: Anthropic
 * refuses them.
 */
export function writeBlocks(parts: readonly UserPart[]): JsonObject[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === ''
          ? []
          : [{ type: 'text', text: part.text, ...cacheMark(part.cache) }];
      case 'image':
        return [{ type: 'image', source: sourceOf(part.source), ...cacheMark(part.cache) }];
      // The fit refuses it.
      case 'audio':
        return [];
      case 'file':
        return [fileBlock(part)];
    }
  });
}

/**
 * Returns a cache mark, always for five minutes: an hour has a price of its own, for which only
 * requests of this protocol hold.
 */
export function cacheMark(cache: CacheMark | undefined): JsonObject {
  return cache === undefined ? {} : { cache_control: { type: 'ephemeral' } };
}

function fileBlock({ source, name, cache }: FilePart): JsonObject {
  return {
    type: 'document',
    source:
      'text' in source
        ? { type: 'text', media_type: 'text/plain', data: source.text }
        : sourceOf(source),
    ...(name === undefined ? {} : { title: name }),
    ...cacheMark(cache),
  };
}

function sourceOf(source: MediaSource): JsonObject {
  return 'url' in source
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.base64 };
}
