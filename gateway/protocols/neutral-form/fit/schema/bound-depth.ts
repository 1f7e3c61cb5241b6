import type { JsonObject } from '../../../../platform/json/json-value.ts';
import type { SchemaRules } from '../../../target-profile.ts';
import { describeContent, withSentences } from './describe.ts';
import {
  isObjectSchema,
  mapSubschemas,
  NEGATIONS,
  someSubschema,
  typesOf,
  without,
} from './keywords.ts';

/**
 * Returns a schema with at most as many levels as the target takes; the root is the first. What is
 * deeper is left free, and said in words: of an object, any properties are accepted.
 */
export function boundDepth(schema: JsonObject, rules: SchemaRules): JsonObject {
  const { depthMax } = rules;
  if (depthMax === undefined || !isDeeper(schema, depthMax)) return schema;
  return bounded(schema, depthMax, rules) ?? schema;
}

function isDeeper(schema: JsonObject, levels: number): boolean {
  if (levels === 0) return true;
  return Object.keys(schema).some((keyword) =>
    someSubschema(keyword, schema[keyword], (subschema) => isDeeper(subschema, levels - 1)),
  );
}

/** Returns null for what these levels cannot express, so that the schema around it is cut. */
function bounded(schema: JsonObject, levels: number, rules: SchemaRules): JsonObject | null {
  if (!isDeeper(schema, levels)) return schema;
  if (levels === 1) return cut(schema, rules);
  const lost: JsonObject[] = [];
  let fitted = mapSubschemas(schema, (subschema) => {
    const one = bounded(subschema, levels - 1, rules);
    if (one === null) lost.push(subschema);
    return one ?? subschema;
  });
  if (lost.length > 0) return cut(schema, rules);
  for (const [keyword, group] of NEGATIONS) {
    if (fitted[keyword] !== schema[keyword]) fitted = without(fitted, group);
  }
  return fitted;
}

/** A schema without those inside it; arrays and alternatives are nothing without them. */
function cut(schema: JsonObject, { typesRequired }: SchemaRules): JsonObject | null {
  const { type, description } = schema;
  const words = typeof description === 'string' ? { description } : {};
  const types = typesOf(schema);
  const isUntyped = types.length === 0 || types.includes('array');
  if (isUntyped && typesRequired) return null;
  const kept = isUntyped ? {} : { type, ...(isObjectSchema(schema) ? { properties: {} } : {}) };
  return withSentences({ ...kept, ...words }, describeContent(schema));
}
