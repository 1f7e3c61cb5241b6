import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import {
  holdsSchemas,
  mapList,
  mapMembers,
  ONE_SCHEMA,
  SCHEMA_LISTS,
  SCHEMA_MAPS,
  typesOf,
  without,
} from './keywords.ts';

/**
 * Returns a schema in the current draft (2020-12), which vendors check schemas against. It
 * translates what earlier drafts and OpenAPI wrote differently, and removes keywords whose value
 * has the wrong type: one such keyword would cost the whole request.
 *
 * @param keepsNullable leaves OpenAPI's `nullable` as it is, for targets that read it
 */
export function toCurrentDraft(schema: JsonObject, keepsNullable: boolean): JsonObject {
  const convert = (one: unknown): unknown =>
    isJsonObject(one) ? toCurrentDraft(one, keepsNullable) : one;
  let current = withoutMalformed(schema);
  current = withExclusiveBounds(current);
  current = withTuple(current);
  current = withSplitDependencies(current);
  current = withRequiredList(current);
  if (!keepsNullable) current = withNullType(current);
  return convertInside(withoutFalseSchemas(current), convert);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isBound = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean';
const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** Tests whether the value of a keyword has the type that the draft gives it. */
const IS_WELL_FORMED: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['$comment', '$id', '$ref', '$schema', 'description', 'format', 'pattern', 'title'].map(
    (keyword) => [keyword, isText] as const,
  ),
  ...['maximum', 'minimum', 'multipleOf'].map((keyword) => [keyword, isNumber] as const),
  ...['maxContains', 'maxItems', 'maxLength', 'maxProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ...['minContains', 'minItems', 'minLength', 'minProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ...['exclusiveMaximum', 'exclusiveMinimum'].map((keyword) => [keyword, isBound] as const),
  ...[...SCHEMA_MAPS, 'dependencies', 'dependentRequired'].map(
    (keyword) => [keyword, isJsonObject] as const,
  ),
  ...[...SCHEMA_LISTS, 'enum'].map((keyword) => [keyword, isFilledList] as const),
  ...[...ONE_SCHEMA].map((keyword) => [keyword, isSchema] as const),
  ['items', (value) => isSchema(value) || Array.isArray(value)],
  ['uniqueItems', (value) => typeof value === 'boolean'],
]);

function isSchema(value: unknown): boolean {
  return isJsonObject(value) || typeof value === 'boolean';
}

function withoutMalformed(schema: JsonObject): JsonObject {
  const malformed: string[] = [];
  for (const keyword in schema) {
    if (IS_WELL_FORMED.get(keyword)?.(schema[keyword]) === false) malformed.push(keyword);
  }
  const wellFormed = without(schema, malformed);
  if (!Object.hasOwn(schema, 'type') || TYPES.has(schema['type'])) return wellFormed;
  const { type } = schema;
  const types = [...new Set((Array.isArray(type) ? type : [type]).flatMap(typesNamed))];
  const [first] = types;
  if (first === undefined) return without(wellFormed, ['type']);
  if (typeof type === 'string') return type === first ? wellFormed : { ...wellFormed, type: first };
  const isSame = Array.isArray(type) && type.every((one, index) => one === types[index]);
  return isSame && types.length > 1
    ? wellFormed
    : { ...wellFormed, type: types.length > 1 ? types : first };
}

const TYPES: ReadonlySet<unknown> = new Set([
  'null',
  'boolean',
  'string',
  'number',
  'integer',
  'array',
  'object',
]);
/** Types of programming languages, which generators of schemas write by mistake. */
const OTHER_TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['double', 'number'],
  ['float', 'number'],
  ['int', 'integer'],
  ['list', 'array'],
  ['none', 'null'],
  ['str', 'string'],
]);

/** The type that a name means; none for a name such as `any`. */
function typesNamed(name: unknown): readonly string[] {
  if (name === null) return ['null'];
  if (typeof name !== 'string') return [];
  const lower = name.toLowerCase();
  const type = OTHER_TYPE_NAMES.get(lower) ?? lower;
  return TYPES.has(type) ? [type] : [];
}

/** Draft 4 had `exclusiveMinimum: true` alongside `minimum`. */
function withExclusiveBounds(schema: JsonObject): JsonObject {
  let current = schema;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = current[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    const limit = current[bound];
    current =
      isExclusive && typeof limit === 'number'
        ? { ...without(current, [bound]), [exclusive]: limit }
        : without(current, [exclusive]);
  }
  return current;
}

/** Earlier drafts had the schemas of a tuple in `items`, and those behind in `additionalItems`. */
function withTuple(schema: JsonObject): JsonObject {
  const { items, additionalItems } = schema;
  if (Array.isArray(items)) {
    const rest = isSchema(additionalItems) ? { items: additionalItems } : {};
    const tuple = items.length > 0 ? { prefixItems: items } : {};
    return withTuple({ ...without(schema, ['items', 'additionalItems']), ...tuple, ...rest });
  }
  if (items !== false) return without(schema, ['additionalItems']);
  // Nothing may follow the tuple.
  const { prefixItems, maxItems } = schema;
  const length = Array.isArray(prefixItems) ? prefixItems.length : 0;
  const itemsMax = typeof maxItems === 'number' ? Math.min(maxItems, length) : length;
  return { ...without(schema, ['items', 'additionalItems']), maxItems: itemsMax };
}

/** Earlier drafts had two things in `dependencies`. */
function withSplitDependencies(schema: JsonObject): JsonObject {
  const { dependencies } = schema;
  if (!isJsonObject(dependencies)) return schema;
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isSchema(value));
  return {
    ...(names.length > 0 ? { dependentRequired: Object.fromEntries(names) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
    ...without(schema, ['dependencies']),
  };
}

/** Draft 3 had `required: true` in the property itself. */
function withRequiredList(schema: JsonObject): JsonObject {
  const { required, properties } = schema;
  const asked = isJsonObject(properties)
    ? Object.entries(properties)
        .filter(([, value]) => isJsonObject(value) && value['required'] === true)
        .map(([name]) => name)
    : [];
  if (required === undefined && asked.length === 0) return schema;
  const listed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = new Set([...listed.filter((name) => typeof name === 'string'), ...asked]);
  if (Array.isArray(required) && names.size === required.length) return schema;
  return names.size === 0 && !Array.isArray(required)
    ? without(schema, ['required'])
    : { ...schema, required: [...names] };
}

/** OpenAPI had `nullable: true`, which JSON Schema does not know. */
function withNullType(schema: JsonObject): JsonObject {
  const { nullable: isNullable, ...plain } = schema;
  if (typeof isNullable !== 'boolean') return schema;
  if (!isNullable) return plain;
  const types = typesOf(plain);
  const values: unknown = plain['enum'];
  if (types.length === 0) {
    const { description, ...rest } = plain;
    if (Object.keys(rest).length === 0) return plain;
    return {
      ...(description === undefined ? {} : { description }),
      anyOf: [rest, { type: 'null' }],
    };
  }
  const nullable = types.includes('null') ? plain : { ...plain, type: [...types, 'null'] };
  return Array.isArray(values) && !values.includes(null)
    ? { ...nullable, enum: [...(values as readonly unknown[]), null] }
    : nullable;
}

/** Keywords whose value vendors read as a boolean too. */
const KEEPS_BOOLEAN = ['additionalProperties', 'not', 'unevaluatedItems', 'unevaluatedProperties'];

/** Takes out properties that may not occur, and alternatives that are never met. */
function withoutFalseSchemas(schema: JsonObject): JsonObject {
  let current = schema;
  const { properties } = schema;
  if (isJsonObject(properties) && Object.values(properties).includes(false)) {
    const possible = Object.entries(properties).filter(([, value]) => value !== false);
    current = { ...current, properties: Object.fromEntries(possible) };
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = current[keyword];
    if (!Array.isArray(branches) || !branches.includes(false)) continue;
    const possible: unknown[] = branches.filter((branch) => branch !== false);
    current =
      possible.length > 0 ? { ...current, [keyword]: possible } : without(current, [keyword]);
  }
  return current;
}

/** Converts the schemas inside; `true` and other values in their place become schemas. */
function convertInside(schema: JsonObject, convert: (one: unknown) => unknown): JsonObject {
  const convertOne = (one: unknown): unknown => convert(asObject(one));
  let changed: Record<string, unknown> | null = null;
  for (const keyword in schema) {
    if (holdsSchemas(keyword) === undefined) continue;
    const value = schema[keyword];
    const converted = convertValue(keyword, value, convertOne);
    if (converted === value) continue;
    changed ??= { ...schema };
    changed[keyword] = converted;
  }
  return changed ?? schema;
}

function convertValue(
  keyword: string,
  value: unknown,
  convert: (one: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return mapList(value, convert);
  if (isJsonObject(value)) {
    return holdsSchemas(keyword) === 'map' ? mapMembers(value, convert) : convert(value);
  }
  return KEEPS_BOOLEAN.includes(keyword) ? value : convert(value);
}

function asObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  return value === false ? { not: {} } : {};
}
