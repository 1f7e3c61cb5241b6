/**
 * The keywords of JSON Schema that hold schemas, and the types that keywords are about. A property
 * may have the name of a keyword, and `enum`, `const`, `default` and `examples` hold data: code
 * that walks over schemas does it by these lists alone.
 */
import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';

/** Keywords whose value is one schema, or a boolean. */
export const ONE_SCHEMA: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LISTS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
]);

/** Keywords whose value has schemas by names that the author of the schema chose. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords that accept more when the schema in them accepts less. */
export const NEGATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['not', ['not']],
  ['if', ['if', 'then', 'else']],
]);

/** Keywords that say something of a value and restrict nothing. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  '$id',
  '$schema',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** The keywords of a schema's definitions. */
export const DEFINITIONS = ['$defs', 'definitions'] as const;

const STRING_KEYWORDS = [
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'format',
  'maxLength',
  'minLength',
  'pattern',
] as const;
const NUMBER_KEYWORDS = [
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maximum',
  'minimum',
  'multipleOf',
] as const;
const ARRAY_KEYWORDS = [
  'additionalItems',
  'contains',
  'items',
  'maxContains',
  'maxItems',
  'minContains',
  'minItems',
  'prefixItems',
  'unevaluatedItems',
  'uniqueItems',
] as const;
export const OBJECT_KEYWORDS = [
  'additionalProperties',
  'dependentRequired',
  'dependentSchemas',
  'maxProperties',
  'minProperties',
  'patternProperties',
  'properties',
  'propertyNames',
  'propertyOrdering',
  'required',
  'unevaluatedProperties',
] as const;

/** The keywords that apply to values of one type alone. */
export const KEYWORDS_OF_TYPE: Readonly<Record<string, ReadonlySet<string>>> = {
  null: new Set(),
  boolean: new Set(),
  string: new Set(STRING_KEYWORDS),
  number: new Set(NUMBER_KEYWORDS),
  integer: new Set(NUMBER_KEYWORDS),
  array: new Set(ARRAY_KEYWORDS),
  object: new Set(OBJECT_KEYWORDS),
};

/** All keywords of `KEYWORDS_OF_TYPE`. */
export const TYPED_KEYWORDS: ReadonlySet<string> = new Set<string>([
  ...STRING_KEYWORDS,
  ...NUMBER_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...OBJECT_KEYWORDS,
]);

/** Returns the form in which a keyword holds schemas; undefined for keywords that hold data. */
export function holdsSchemas(keyword: string): 'one' | 'list' | 'map' | undefined {
  return HOLDS.get(keyword);
}

const HOLDS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...[...ONE_SCHEMA].map((keyword) => [keyword, 'one'] as const),
  ...[...SCHEMA_LISTS].map((keyword) => [keyword, 'list'] as const),
  ...[...SCHEMA_MAPS].map((keyword) => [keyword, 'map'] as const),
]);

/** Reports whether one of the schemas that a keyword holds passes a test. */
export function someSubschema(
  keyword: string,
  value: unknown,
  test: (subschema: JsonObject) => boolean,
): boolean {
  const holds = HOLDS.get(keyword);
  if (holds === undefined || typeof value !== 'object' || value === null) return false;
  if (holds === 'one') return isJsonObject(value) && test(value);
  const ones: readonly unknown[] = Object.values(value);
  return ones.some((one) => isJsonObject(one) && test(one));
}

/**
 * Returns a schema with `map` applied to the schemas directly inside it; the very same object when
 * all of them came back as they were.
 */
export function mapSubschemas(
  schema: JsonObject,
  map: (subschema: JsonObject, keyword: string) => JsonObject,
): JsonObject {
  let changed: Record<string, unknown> | null = null;
  // Schemas are walked over several times: no lists of entries are made.
  for (const keyword in schema) {
    const holds = HOLDS.get(keyword);
    if (holds === undefined) continue;
    const value = schema[keyword];
    const mapped = mapValue(value, holds, (subschema) => map(subschema, keyword));
    if (mapped === value) continue;
    changed ??= { ...schema };
    changed[keyword] = mapped;
  }
  return changed ?? schema;
}

function mapValue(
  value: unknown,
  holds: 'one' | 'list' | 'map',
  map: (subschema: JsonObject) => JsonObject,
): unknown {
  const mapOne = (one: unknown): unknown => (isJsonObject(one) ? map(one) : one);
  if (Array.isArray(value)) return holds === 'list' ? mapList(value, mapOne) : value;
  if (!isJsonObject(value)) return value;
  return holds === 'map' ? mapMembers(value, mapOne) : map(value);
}

/** Maps a list; the very same list when nothing in it changes. */
export function mapList(
  list: readonly unknown[],
  map: (value: unknown) => unknown,
): readonly unknown[] {
  const mapped = list.map(map);
  return mapped.every((one, index) => one === list[index]) ? list : mapped;
}

/** Maps the members of an object whose names are free, `__proto__` among them. */
export function mapMembers(object: JsonObject, map: (value: unknown) => unknown): JsonObject {
  let changed: Map<string, unknown> | null = null;
  for (const name in object) {
    const value = object[name];
    const mapped = map(value);
    if (mapped === value) continue;
    changed ??= new Map(Object.entries(object));
    changed.set(name, mapped);
  }
  return changed === null ? object : Object.fromEntries(changed);
}

/** Returns a schema without some of its keywords; the very same object when it has none of them. */
export function without(schema: JsonObject, keywords: readonly string[]): JsonObject {
  let left: Map<string, unknown> | null = null;
  for (const keyword of keywords) {
    if (!Object.hasOwn(schema, keyword)) continue;
    left ??= new Map(Object.entries(schema));
    left.delete(keyword);
  }
  return left === null ? schema : Object.fromEntries(left);
}

/** A schema's members by name, such as its properties; an empty object when it has none. */
export function membersOf(schema: JsonObject, keyword: string): JsonObject {
  const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return isJsonObject(value) ? value : {};
}

export function listOf(schema: JsonObject, keyword: string): readonly unknown[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
}

/** The types that a schema names; none when it names none. */
export function typesOf({ type }: JsonObject): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];
}

/** The type of a JSON value; whole numbers are `integer`. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Reports whether a value of one type is also of another: an integer is a number. */
export function isOfType(type: string, wanted: string): boolean {
  return type === wanted || (type === 'integer' && wanted === 'number');
}

/** Reports whether a schema describes objects: by its type, or by a keyword if it has none. */
export function isObjectSchema(schema: JsonObject): boolean {
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('object');
  return isJsonObject(schema['properties']) || isJsonObject(schema['additionalProperties']);
}
