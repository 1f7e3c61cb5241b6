import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import { describeAlternatives, describeKeywords, withSentences } from './describe.ts';
import { resolved, type FitContext } from './fit-context.ts';
import { REFERENCES_DEPTH_MAX } from './references/inline-references.ts';
import { listOf, typesOf, without } from './keywords.ts';
import { mergeSchemas, uniteObjects } from './merge-schemas.ts';

/** Alternatives of one schema that are made one object; further ones are left out. */
export const ALTERNATIVES_MAX = 500;

/** Keywords that vendors refuse at the top of a tool's schema. */
const NOT_AT_ROOT = ['$ref', 'allOf', 'anyOf', 'const', 'enum', 'not', 'oneOf'];

/**
 * Returns the schema of a tool as one object: vendors refuse alternatives and references at the top
 * of it. The object has the properties of all alternatives, so that each of them can be called.
 */
export function toRootObject(root: JsonObject, context: FitContext): JsonObject {
  const flat = flatten(root, context, []);
  const words = describeKeywords(Object.hasOwn(flat, 'not') ? { not: flat['not'] } : {});
  const object = withSentences(without(flat, NOT_AT_ROOT), words);
  const isComplete = object['type'] === 'object' && isJsonObject(object['properties']);
  if (isComplete) return object;
  const properties = isJsonObject(object['properties']) ? {} : { properties: {} };
  return { ...object, type: 'object', ...properties };
}

/** Merges what a schema refers to and its alternatives into the schema itself. */
function flatten(schema: JsonObject, context: FitContext, open: readonly JsonObject[]): JsonObject {
  if (Object.hasOwn(schema, '$ref')) {
    const found = open.length < REFERENCES_DEPTH_MAX ? resolved(schema, context, open) : null;
    return found === null
      ? flatten(without(schema, ['$ref']), context, open)
      : flatten(found.schema, context, [...open, found.target]);
  }
  let flat = schema;
  if (Object.hasOwn(flat, 'allOf')) {
    const parts = alternativesOf(flat, 'allOf', context, open);
    flat = mergeSchemas([without(flat, ['allOf']), ...parts]);
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    if (!Object.hasOwn(flat, keyword)) continue;
    const branches = alternativesOf(flat, keyword, context, open);
    const base = without(flat, [keyword]);
    const sentence = describeAlternatives(branches.map((branch) => listOf(branch, 'required')));
    flat = withSentences(
      mergeSchemas([base, without(uniteObjects(branches), ['description', 'title'])]),
      sentence === undefined ? [] : [sentence],
    );
  }
  return flat;
}

function alternativesOf(
  schema: JsonObject,
  keyword: string,
  context: FitContext,
  open: readonly JsonObject[],
): readonly JsonObject[] {
  return listOf(schema, keyword)
    .slice(0, ALTERNATIVES_MAX)
    .filter(isJsonObject)
    .map((branch) => flatten(branch, context, open))
    .filter((branch) => typesOf(branch).length === 0 || typesOf(branch).includes('object'));
}
