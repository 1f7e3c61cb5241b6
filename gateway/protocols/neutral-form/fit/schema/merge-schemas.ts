import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import { isOfType, listOf, membersOf, typesOf, without } from './keywords.ts';

/**
 * Returns one schema for values that several schemas accept together (`allOf`). Where two keywords
 * cannot be one, the first is kept: the result accepts at least what all of them accept.
 */
export function mergeSchemas(schemas: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = schemas;
  return others.reduce(mergeTwo, first);
}

function mergeTwo(one: JsonObject, other: JsonObject): JsonObject {
  if (Object.keys(other).length === 0) return one;
  if (Object.keys(one).length === 0) return other;
  const merged = new Map(Object.entries(without(one, UNEVALUATED)));
  for (const [keyword, value] of Object.entries(withoutGroups(one, other))) {
    const own = merged.get(keyword);
    merged.set(keyword, own === undefined ? value : mergeValues(keyword, own, value));
  }
  return Object.fromEntries(merged);
}

/**
 * Keywords whose meaning changes when schemas are merged, because more properties count as
 * evaluated.
 */
const UNEVALUATED = ['unevaluatedItems', 'unevaluatedProperties'];

/** Keywords that mean nothing without another one of the same schema. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['contains', ['contains', 'minContains', 'maxContains']],
  ['if', ['if', 'then', 'else']],
];

/** The second schema without groups of keywords of which the first has its own. */
function withoutGroups(one: JsonObject, other: JsonObject): JsonObject {
  return GROUPS.reduce(
    (rest, [keyword, group]) => (Object.hasOwn(one, keyword) ? without(rest, group) : rest),
    without(other, UNEVALUATED),
  );
}

const LOWER_BOUNDS = new Set([
  'exclusiveMinimum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
]);
const UPPER_BOUNDS = new Set([
  'exclusiveMaximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
]);
const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties', 'dependentSchemas']);

function mergeValues(keyword: string, one: unknown, other: unknown): unknown {
  if (one === other) return one;
  if (LOWER_BOUNDS.has(keyword)) return Math.max(Number(one), Number(other));
  if (UPPER_BOUNDS.has(keyword)) return Math.min(Number(one), Number(other));
  if (SCHEMAS_BY_NAME.has(keyword) && isJsonObject(one) && isJsonObject(other)) {
    return mergeByName(one, other);
  }
  switch (keyword) {
    case '$defs':
    case 'definitions':
      return isJsonObject(one) && isJsonObject(other) ? { ...other, ...one } : one;
    case 'required':
      return Array.isArray(one) && Array.isArray(other) ? unionOf(one, other) : one;
    case 'enum':
      return Array.isArray(one) && Array.isArray(other) ? commonOf(one, other) : one;
    case 'type':
      return commonType(one, other);
    case 'additionalProperties':
      return other === false ? false : one;
    case 'uniqueItems':
      return one === true || other === true;
    case 'items':
      return isJsonObject(one) && isJsonObject(other) ? mergeTwo(one, other) : one;
    default:
      return one;
  }
}

function mergeByName(one: JsonObject, other: JsonObject): JsonObject {
  const merged = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const own = merged.get(name);
    const isBoth = isJsonObject(own) && isJsonObject(schema);
    merged.set(name, isBoth ? mergeTwo(own, schema) : (own ?? schema));
  }
  return Object.fromEntries(merged);
}

function unionOf(one: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  return [...new Set([...one, ...other])];
}

function commonOf(one: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const others = new Set(other.map((value) => JSON.stringify(value)));
  const common = one.filter((value) => others.has(JSON.stringify(value)));
  return common.length === 0 ? one : common;
}

function commonType(one: unknown, other: unknown): unknown {
  const common = commonTypes(typesOf({ type: one }), typesOf({ type: other }));
  if (common.length === 0) return one;
  return common.length === 1 ? common[0] : common;
}

/** The types of values that have one of the first types and one of the others. */
export function commonTypes(
  types: readonly string[],
  others: readonly string[],
): readonly string[] {
  const common = types.flatMap((type) => {
    if (others.some((other) => isOfType(type, other))) return [type];
    return others.filter((other) => isOfType(other, type));
  });
  return [...new Set(common)];
}

/** Schemas that differ, in their order. */
export function distinct(schemas: readonly JsonObject[]): readonly JsonObject[] {
  const byText = new Map<string, JsonObject>();
  for (const schema of schemas) {
    const text = JSON.stringify(schema);
    if (!byText.has(text)) byText.set(text, schema);
  }
  return [...byText.values()];
}

/**
 * Returns an object that values of any of several objects' schemas can be: it has the properties
 * of all of them, and requires those that each requires.
 */
export function uniteObjects(schemas: readonly JsonObject[]): JsonObject {
  const [first] = schemas;
  if (first === undefined || schemas.length === 1) return first ?? {};
  const declared = new Map<string, JsonObject[]>();
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(membersOf(schema, 'properties'))) {
      if (!isJsonObject(property)) continue;
      const known = declared.get(name);
      if (known === undefined) declared.set(name, [property]);
      else known.push(property);
    }
  }
  const properties = [...declared].map(([name, of]) => [name, uniteProperty(of)] as const);
  const required = schemas
    .map((schema) => new Set(listOf(schema, 'required')))
    .reduce((common, names) => new Set([...common].filter((name) => names.has(name))));
  const isClosed = schemas.every((schema) => schema['additionalProperties'] === false);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.size > 0 ? { required: [...required] } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
  };
}

function uniteProperty(declared: readonly JsonObject[]): JsonObject {
  const different = distinct(declared);
  const [only = {}] = different;
  if (different.length < 2) return only;
  const values = constantsOf(different);
  // The property that distinguishes the branches has one value in each.
  return values === null ? { anyOf: different } : { ...without(only, NOT_COMMON), enum: values };
}

const NOT_COMMON = ['const', 'default', 'description', 'enum', 'title'];

/** The values of properties that have nothing but values of one type; null of other ones. */
function constantsOf(schemas: readonly JsonObject[]): readonly unknown[] | null {
  const values = new Set<unknown>();
  for (const schema of schemas) {
    const own = Object.hasOwn(schema, 'const') ? [schema['const']] : listOf(schema, 'enum');
    const isPlain = Object.keys(schema).every(
      (keyword) => keyword === 'type' || NOT_COMMON.includes(keyword),
    );
    if (own.length === 0 || !isPlain || schema['type'] !== schemas[0]?.['type']) return null;
    for (const value of own) values.add(value);
  }
  return [...values];
}
