import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import type { StrictLimits } from '../../../target-profile.ts';
import { DEFINITIONS, isObjectSchema, listOf, membersOf, someSubschema } from './keywords.ts';
import { recursiveDefinitions } from './references/recursion.ts';

/** The size of a schema as vendors that compile schemas limit it. */
export interface StrictSize {
  readonly optionalProperties: number;
  readonly unionProperties: number;
  readonly properties: number;
  readonly depth: number;
  readonly isRecursive: boolean;
}

/**
 * Measures a fitted schema. Each definition is counted once, as if it stood alone, as vendors count
 * them: they do not follow references.
 */
export function strictSizeOf(root: JsonObject): StrictSize {
  const size = { optionalProperties: 0, unionProperties: 0, properties: 0, depth: 0 };
  const measure = (schema: JsonObject, depth: number): void => {
    const properties = Object.entries(membersOf(schema, 'properties'));
    const required = new Set(listOf(schema, 'required'));
    const level = isObjectSchema(schema) ? depth + 1 : depth;
    size.depth = Math.max(size.depth, level);
    size.properties += properties.length;
    for (const [name, property] of properties) {
      if (!required.has(name)) size.optionalProperties += 1;
      if (isJsonObject(property) && isUnion(property)) size.unionProperties += 1;
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const isDefinitions = DEFINITIONS.some((one) => one === keyword);
      someSubschema(keyword, value, (subschema) => {
        measure(subschema, isDefinitions ? 0 : level);
        return false;
      });
    }
  };
  measure(root, 0);
  return { ...size, isRecursive: recursiveDefinitions(root).size > 0 };
}

function isUnion(schema: JsonObject): boolean {
  return Object.hasOwn(schema, 'anyOf') || Array.isArray(schema['type']);
}

/** The size of several schemas of one request. */
export function addSizes(one: StrictSize, other: StrictSize): StrictSize {
  return {
    optionalProperties: one.optionalProperties + other.optionalProperties,
    unionProperties: one.unionProperties + other.unionProperties,
    properties: Math.max(one.properties, other.properties),
    depth: Math.max(one.depth, other.depth),
    isRecursive: one.isRecursive || other.isRecursive,
  };
}

export function isWithin(size: StrictSize, limits: StrictLimits): boolean {
  return (
    size.optionalProperties <= limits.optionalPropertiesMax &&
    size.unionProperties <= limits.unionPropertiesMax &&
    size.properties <= limits.propertiesMax &&
    size.depth <= limits.depthMax &&
    (limits.recursion || !size.isRecursive)
  );
}

export const NO_SIZE: StrictSize = {
  optionalProperties: 0,
  unionProperties: 0,
  properties: 0,
  depth: 0,
  isRecursive: false,
};
