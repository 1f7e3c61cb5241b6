import type { JsonObject } from '../../../platform/json/json-value.ts';
import { mediaUrl } from '../../neutral-form/media-url.ts';
import type { CacheMark, FilePart, UserPart } from '../../neutral-form/request.ts';

/** OpenAI takes so many breakpoints in one request. */
const CACHE_BREAKPOINTS_MAX = 4;

/** Writes content parts, and counts the cache marks among them. */
export class PartWriter {
  #breakpointsLeft: number;

  constructor({ cacheBreakpoints }: { readonly cacheBreakpoints: boolean }) {
    this.#breakpointsLeft = cacheBreakpoints ? CACHE_BREAKPOINTS_MAX : 0;
  }

  /** A user's content: a string where one text is all there is. */
  content(parts: readonly UserPart[]): string | JsonObject[] {
    const written = this.parts(parts);
    const [first] = written;
    const plain = written.length === 1 && first?.['prompt_cache_breakpoint'] === undefined;
    return plain && typeof first?.['text'] === 'string' ? first['text'] : written;
  }

  parts(parts: readonly UserPart[]): JsonObject[] {
    return parts.map((part) => this.#part(part));
  }

  /** Texts as one string, unless a cache mark is among them. */
  text(parts: readonly { readonly text: string; readonly cache?: CacheMark }[], between: string) {
    const marked = this.#breakpointsLeft > 0 && parts.some(({ cache }) => cache !== undefined);
    if (marked) return this.parts(parts.map((part) => ({ type: 'text' as const, ...part })));
    return parts.map(({ text }) => text).join(between);
  }

  #part(part: UserPart): JsonObject {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text, ...this.#breakpoint(part.cache) };
      case 'image':
        return {
          type: 'image_url',
          image_url: { url: mediaUrl(part.source), detail: part.detail },
          ...this.#breakpoint(part.cache),
        };
      case 'audio':
        return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } };
      case 'file':
        return { ...this.#file(part), ...this.#breakpoint(part.cache) };
    }
  }

  #file({ source, name }: FilePart): JsonObject {
    if ('text' in source) {
      return { type: 'text', text: name === undefined ? source.text : `${name}\n${source.text}` };
    }
    return { type: 'file', file: { filename: name ?? 'file.pdf', file_data: mediaUrl(source) } };
  }

  #breakpoint(mark: CacheMark | undefined): JsonObject {
    if (mark === undefined || this.#breakpointsLeft === 0) return {};
    this.#breakpointsLeft -= 1;
    return { prompt_cache_breakpoint: { mode: 'explicit' } };
  }
}
