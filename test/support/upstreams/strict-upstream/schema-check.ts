import { isObject, type Json, type Path, type SchemaFault } from './rule.ts';

/** The limits of a vendor's validator of JSON schemas. */
export interface SchemaLimits {
  /** The root has `type: object`. */
  readonly rootObject?: boolean;
  /** Keywords that the root must not have. */
  readonly rootRefused?: readonly string[];
  /** Every object names `properties`; with `non_empty` at least one, except at the root. */
  readonly properties?: 'named' | 'non_empty';
  /** Every array has `items`. */
  readonly arrayItems?: boolean;
  /** The only keywords; undefined: any. */
  readonly keywords?: readonly string[];
  readonly refused?: readonly string[];
  readonly formats?: readonly string[];
  readonly minItemsMax?: number;
  /** `type` is one word, never a list. */
  readonly oneType?: boolean;
  readonly stringEnums?: boolean;
  /** Objects have `additionalProperties: false`. */
  readonly closed?: boolean;
  /** `required` lists every property. */
  readonly allRequired?: boolean;
  readonly keyPattern?: RegExp;
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', '$defs', 'definitions', 'patternProperties'];

/** The first fault of a schema, outermost first. */
export function checkSchema(schema: unknown, limits: SchemaLimits): SchemaFault | undefined {
  if (!isObject(schema)) return undefined;
  return checkRoot(schema, limits) ?? checkWithin(schema, [], limits);
}

function typeOf(schema: Json): string {
  const { type, properties } = schema;
  if (Array.isArray(type)) return String(type[0]);
  if (typeof type === 'string') return type.toLowerCase();
  return properties === undefined ? 'None' : 'object';
}

function checkRoot(schema: Json, limits: SchemaLimits): SchemaFault | undefined {
  const word = limits.rootRefused?.find((keyword) => keyword in schema);
  const at = { place: [], type: typeOf(schema) };
  if (word !== undefined) return { ...at, problem: 'root_alternatives', word };
  const isTyped = typeof schema['type'] === 'string' && typeOf(schema) === 'object';
  if (limits.rootObject === true && !isTyped) return { ...at, problem: 'root_type', word: '' };
  return undefined;
}

function checkWithin(schema: Json, place: Path, limits: SchemaLimits): SchemaFault | undefined {
  const own = checkKeywords(schema, place, limits) ?? checkForm(schema, place, limits);
  if (own !== undefined) return own;
  for (const [inner, at] of within(schema, place)) {
    const fault = checkWithin(inner, at, limits);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function* within(schema: Json, place: Path): Generator<[Json, Path]> {
  for (const keyword of ONE) {
    const inner = schema[keyword];
    if (isObject(inner)) yield [inner, [...place, keyword]];
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [index, inner] of list.entries()) {
      if (isObject(inner)) yield [inner, [...place, keyword, index]];
    }
  }
  for (const keyword of NAMED) {
    const named = schema[keyword];
    if (!isObject(named)) continue;
    for (const [name, inner] of Object.entries(named)) {
      if (isObject(inner)) yield [inner, [...place, keyword, name]];
    }
  }
}

function checkKeywords(schema: Json, place: Path, limits: SchemaLimits): SchemaFault | undefined {
  const { keywords, refused = [], formats, minItemsMax = Infinity } = limits;
  const at = { place, type: typeOf(schema) };
  for (const [word, value] of Object.entries(schema)) {
    const isKnown = keywords === undefined || keywords.includes(word);
    if (!isKnown || refused.includes(word)) return { ...at, problem: 'keyword', word };
    if (word === 'minItems' && Number(value) > minItemsMax) {
      return { ...at, problem: 'keyword', word };
    }
    if (word === 'format' && formats !== undefined && !formats.includes(String(value))) {
      return { ...at, problem: 'format', word: String(value) };
    }
  }
  if (limits.oneType === true && Array.isArray(schema['type'])) {
    return { ...at, problem: 'type_list', word: 'type' };
  }
  const { enum: values } = schema;
  if (limits.stringEnums === true && Array.isArray(values)) {
    const odd: unknown = values.find((value) => typeof value !== 'string');
    if (odd !== undefined) return { ...at, problem: 'enum_value', word: JSON.stringify(odd) };
  }
  return undefined;
}

function checkForm(schema: Json, place: Path, limits: SchemaLimits): SchemaFault | undefined {
  const type = typeOf(schema);
  const at = { place, type, word: '' };
  if (type === 'array' && limits.arrayItems === true && schema['items'] === undefined) {
    return { ...at, problem: 'no_items' };
  }
  if (type !== 'object') return undefined;
  const { properties, required, additionalProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isEmpty =
    limits.properties === 'non_empty' && place.length > 0
      ? names.length === 0
      : !isObject(properties);
  if (limits.properties !== undefined && isEmpty) return { ...at, problem: 'no_properties' };
  if (limits.closed === true && additionalProperties !== false) {
    return { ...at, problem: 'open_object' };
  }
  const missing = names.find((name) => !Array.isArray(required) || !required.includes(name));
  if (limits.allRequired === true && missing !== undefined) {
    return { ...at, problem: 'not_required', word: missing };
  }
  const key = names.find((name) => limits.keyPattern?.test(name) === false);
  return key === undefined ? undefined : { ...at, problem: 'key', word: key };
}

/** Counts the optional properties of all objects in a schema, and those of several types. */
export function countLoose(schema: unknown): { readonly optional: number; readonly union: number } {
  if (!isObject(schema)) return { optional: 0, union: 0 };
  const { properties, required } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  let optional = names.filter(
    (name) => !Array.isArray(required) || !required.includes(name),
  ).length;
  let union = Array.isArray(schema['type']) || Array.isArray(schema['anyOf']) ? 1 : 0;
  for (const [inner] of within(schema, [])) {
    const counted = countLoose(inner);
    optional += counted.optional;
    union += counted.union;
  }
  return { optional, union };
}
