/**
 * Citations of web pages, which Gemini has next to the content of a candidate. Their places are
 * bytes of a part's text in UTF-8.
 */
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { UrlCitation } from '../../neutral-form/request.ts';
import { fieldOf, listOf } from '../fields.ts';

/** A part of a candidate's text. */
export interface GroundedText {
  /** The part's place in the candidate. */
  readonly index: number;
  /** Characters of the reply's text before it. */
  readonly from: number;
  readonly text: string;
}

/** Returns the citations of a candidate: of a search, and of what the model knows by heart. */
export function readGrounding(
  candidate: JsonObject,
  texts: readonly GroundedText[],
): UrlCitation[] {
  return [...searched(candidate, texts), ...recited(candidate, texts)];
}

function searched(candidate: JsonObject, texts: readonly GroundedText[]): UrlCitation[] {
  const grounding = fieldOf(candidate, 'groundingMetadata');
  if (!isJsonObject(grounding)) return [];
  const pages = listOf(fieldOf(grounding, 'groundingChunks')).map((chunk) =>
    isJsonObject(chunk) && isJsonObject(chunk['web']) ? chunk['web'] : {},
  );
  return listOf(fieldOf(grounding, 'groundingSupports'))
    .filter(isJsonObject)
    .flatMap((support) => {
      const segment = support['segment'];
      if (!isJsonObject(segment)) return [];
      return listOf(fieldOf(support, 'groundingChunkIndices')).flatMap((index) =>
        citationOf(pages[Number(index)] ?? {}, segment, texts),
      );
    });
}

function recited(candidate: JsonObject, texts: readonly GroundedText[]): UrlCitation[] {
  const metadata = fieldOf(candidate, 'citationMetadata');
  if (!isJsonObject(metadata)) return [];
  const sources = listOf(metadata['citations'] ?? fieldOf(metadata, 'citationSources'));
  return sources.filter(isJsonObject).flatMap((source) => citationOf(source, source, texts));
}

/** @param segment where it is; of the first text where it names no part */
function citationOf(
  { uri, title }: JsonObject,
  segment: JsonObject,
  texts: readonly GroundedText[],
): UrlCitation[] {
  const part = fieldOf(segment, 'partIndex');
  const text = texts.find(({ index }) => index === part) ?? texts[0];
  if (typeof uri !== 'string' || uri === '' || text === undefined) return [];
  const bytes = Buffer.from(text.text);
  const placeOf = (name: string): number =>
    text.from + bytes.toString('utf8', 0, Number(fieldOf(segment, name)) || 0).length;
  return [
    { url: uri, title: stringOf(title), start: placeOf('startIndex'), end: placeOf('endIndex') },
  ];
}

/** Returns the member of a candidate that has its citations; none without any. */
export function groundingMember(
  citations: readonly UrlCitation[],
  texts: readonly GroundedText[],
): JsonObject {
  if (citations.length === 0) return {};
  const pages = new Map(citations.map(({ url, title }) => [url, { web: { uri: url, title } }]));
  const urls = [...pages.keys()];
  const supports = citations.flatMap(({ url, start, end }) => {
    const text = texts.findLast(({ from }) => from <= start);
    if (text === undefined) return [];
    const { index, from } = text;
    const place = {
      startIndex: Buffer.byteLength(text.text.slice(0, start - from)),
      endIndex: Buffer.byteLength(text.text.slice(0, end - from)),
      text: text.text.slice(start - from, end - from),
    };
    const segment = index === 0 ? place : { partIndex: index, ...place };
    return [{ segment, groundingChunkIndices: [urls.indexOf(url)] }];
  });
  return {
    groundingMetadata: { groundingChunks: [...pages.values()], groundingSupports: supports },
  };
}
