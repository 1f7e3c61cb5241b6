/**
 * Which keywords of JSON Schema hold schemas, and which types they are about. A property may have
 * the name of a keyword, and `enum`, `const`, `default` and `examples` hold data: code that walks
 * over schemas does it by these lists alone.
 */
import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';

/** Keywords whose value is one schema, or a boolean. */
const ONE_SCHEMA: ReadonlySet<string> = new Set([
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

/** Where the definitions of a schema are. */
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

/** Returns the schemas that a keyword holds; none where its value is data or a boolean. */
export function subschemasOf(keyword: string, value: unknown): readonly JsonObject[] {
  if (ONE_SCHEMA.has(keyword)) return isJsonObject(value) ? [value] : [];
  if (SCHEMA_LISTS.has(keyword)) return Array.isArray(value) ? value.filter(isJsonObject) : [];
  if (!SCHEMA_MAPS.has(keyword) || !isJsonObject(value)) return [];
  return Object.values(value).filter(isJsonObject);
}

/** Whether a keyword can hold schemas. */
export function holdsSchemas(keyword: string): boolean {
  return ONE_SCHEMA.has(keyword) || SCHEMA_LISTS.has(keyword) || SCHEMA_MAPS.has(keyword);
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
  for (const [keyword, value] of Object.entries(schema)) {
    if (!holdsSchemas(keyword)) continue;
    const mapped = mapValue(value, SCHEMA_MAPS.has(keyword), (subschema) =>
      map(subschema, keyword),
    );
    if (mapped === value) continue;
    changed ??= { ...schema };
    changed[keyword] = mapped;
  }
  return changed ?? schema;
}

function mapValue(
  value: unknown,
  byName: boolean,
  map: (subschema: JsonObject) => JsonObject,
): unknown {
  if (Array.isArray(value)) {
    const mapped: unknown[] = value.map((one: unknown) => (isJsonObject(one) ? map(one) : one));
    return mapped.every((one, index) => one === value[index]) ? value : mapped;
  }
  if (!isJsonObject(value)) return value;
  return byName ? mapMembers(value, (one) => (isJsonObject(one) ? map(one) : one)) : map(value);
}

/** Maps the members of an object whose names are free, `__proto__` among them. */
export function mapMembers(object: JsonObject, map: (value: unknown) => unknown): JsonObject {
  const members = Object.entries(object);
  const mapped = members.map(([name, value]) => [name, map(value)] as const);
  const isSame = mapped.every(([, value], index) => value === members[index]?.[1]);
  return isSame ? object : Object.fromEntries(mapped);
}

/** Returns a schema without some of its keywords; the very same object when it has none of them. */
export function without(schema: JsonObject, keywords: Iterable<string>): JsonObject {
  const dropped = new Set<string>();
  for (const keyword of keywords) if (Object.hasOwn(schema, keyword)) dropped.add(keyword);
  return dropped.size === 0
    ? schema
    : Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.has(keyword)));
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

/** Whether a value of one type is also of another: an integer is a number. */
export function isOfType(type: string, wanted: string): boolean {
  return type === wanted || (type === 'integer' && wanted === 'number');
}

/** Whether a schema describes objects: by its type, or by a keyword where it names none. */
export function isObjectSchema(schema: JsonObject): boolean {
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('object');
  return isJsonObject(schema['properties']) || isJsonObject(schema['additionalProperties']);
}
