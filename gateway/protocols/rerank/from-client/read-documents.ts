import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';

/**
 * Returns the texts of documents; undefined where one has none. Of objects with other fields than
 * `text`, Cohere ranks by `rank_fields`: these become lines of one text, as it documents for models
 * that take texts alone.
 */
export function readDocuments(
  documents: unknown,
  rankFields?: unknown,
): readonly string[] | undefined {
  if (!Array.isArray(documents)) return undefined;
  const fields = Array.isArray(rankFields) ? rankFields.map(String) : [];
  const texts = documents.map((document: unknown) =>
    isJsonObject(document) ? textOf(document, fields) : document,
  );
  return texts.every((text) => typeof text === 'string') ? texts : undefined;
}

function textOf(document: JsonObject, rankFields: readonly string[]): string | undefined {
  const { text } = document;
  if (rankFields.length === 0) return typeof text === 'string' ? text : undefined;
  const lines = rankFields
    .filter((name) => typeof document[name] === 'string')
    .map((name) => `${name}: ${String(document[name])}`);
  return lines.length === 0 ? undefined : lines.join('\n');
}
