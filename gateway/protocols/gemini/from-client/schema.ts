import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';

/** Fields of Gemini's `Schema` that JSON Schema does not have. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'nullable',
  'propertyOrdering',
  'property_ordering',
]);

/** Members whose value is a schema, or several. */
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'any_of', 'prefixItems', 'not']);
/** Members whose values are schemas by name. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', '$defs', 'defs']);

const CAMEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['min_items', 'minItems'],
  ['max_items', 'maxItems'],
  ['min_length', 'minLength'],
  ['max_length', 'maxLength'],
  ['min_properties', 'minProperties'],
  ['max_properties', 'maxProperties'],
]);

/** Counts that protocol buffers write as texts. */
const COUNTS = /^(?:min|max)(?:Items|Length|Properties)$/;

/**
 * Returns Gemini's `Schema`, a part of OpenAPI's with types in capitals, as JSON Schema. What is
 * JSON Schema already comes out as it was.
 */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const converted: OwnJsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (OWN_FIELDS.has(key)) continue;
    const name = CAMEL_NAMES.get(key) ?? key;
    converted[name] = convert(key, name, value);
  }
  if (schema['nullable'] === true) makeNullable(converted);
  return converted;
}

function convert(key: string, name: string, value: unknown): unknown {
  if (key === 'type' && typeof value === 'string') return value.toLowerCase();
  if (COUNTS.test(name) && typeof value === 'string') return Number(value);
  if (SCHEMAS.has(key)) return Array.isArray(value) ? value.map(nested) : nested(value);
  if (!NAMED_SCHEMAS.has(key) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([one, inner]) => [one, nested(inner)]));
}

function nested(value: unknown): unknown {
  return isJsonObject(value) ? jsonSchemaOf(value) : value;
}

function makeNullable(schema: OwnJsonObject): void {
  const { type } = schema;
  const values: readonly unknown[] = Array.isArray(schema['enum']) ? schema['enum'] : [];
  if (typeof type === 'string') schema['type'] = [type, 'null'];
  if (values.length > 0 && !values.includes(null)) schema['enum'] = [...values, null];
}
