/** Citations of web pages, which Messages has as members of a text block. */
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import type { UrlCitation } from '../../neutral-form/request.ts';

const TYPE = 'web_search_result_location';

/** The place of a block in the text of its reply, in characters. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the citations of web pages; others are of documents that the client itself has sent. Each
 * is of its whole block.
 */
export function readCitations(citations: unknown, { start, end }: TextPlace): UrlCitation[] {
  return objectsOf(citations).flatMap(({ type, url, title }) =>
    type === TYPE && typeof url === 'string' && url !== ''
      ? [{ url, title: stringOf(title), start, end }]
      : [],
  );
}

/** The form that a client gets. The page's own words and Anthropic's index are not known. */
export function writeCitation({ url, title }: UrlCitation): JsonObject {
  return { type: TYPE, url, title, cited_text: '', encrypted_index: '' };
}

/** Detects citations of another vendor's model in a text block: Anthropic cannot decrypt them. */
export function hasForeignCitation({ citations }: JsonObject): boolean {
  return Array.isArray(citations) && citations.some(isForeign);
}

export function withoutForeignCitations(block: JsonObject): JsonObject {
  const { citations, ...others } = block;
  const own = Array.isArray(citations) ? citations.filter((one) => !isForeign(one)) : [];
  return own.length === 0 ? others : { ...others, citations: own };
}

function isForeign(citation: unknown): boolean {
  return isJsonObject(citation) && citation['type'] === TYPE && citation['encrypted_index'] === '';
}
