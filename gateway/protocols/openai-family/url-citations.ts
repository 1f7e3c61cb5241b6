/** Citations of web pages, which Chat Completions and Responses have as annotations of a text. */
import { isJsonObject, stringOf, type JsonObject } from '../../platform/json/json-value.ts';
import { objectsOf } from '../../tokens/prompt-counter.ts';
import type { UrlCitation } from '../neutral-form/request.ts';

const TYPE = 'url_citation';

/**
 * Returns the citations among annotations of either form; other annotations are of files that only
 * their vendor has.
 * @param from characters of the reply's text before the one that the annotations are of
 */
export function readUrlCitations(annotations: unknown, from = 0): UrlCitation[] {
  return objectsOf(annotations)
    .filter(({ type }) => type === TYPE)
    .flatMap((annotation) => {
      const nested = annotation[TYPE];
      const cited = isJsonObject(nested) ? nested : annotation;
      const url = stringOf(cited['url']);
      if (url === '') return [];
      const start = from + (Number(cited['start_index']) || 0);
      const end = from + (Number(cited['end_index']) || 0);
      return [{ url, title: stringOf(cited['title']), start, end }];
    });
}

/** Writes a citation as an annotation of Responses. */
export function responsesAnnotation(citation: UrlCitation, from: number): JsonObject {
  return { type: TYPE, ...members(citation, from) };
}

/** Writes a citation as an annotation of chat completions. */
export function chatAnnotation(citation: UrlCitation): JsonObject {
  return { type: TYPE, [TYPE]: members(citation, 0) };
}

function members({ url, title, start, end }: UrlCitation, from: number): JsonObject {
  const at = (place: number): number => Math.max(0, place - from);
  return { start_index: at(start), end_index: at(end), title, url };
}
