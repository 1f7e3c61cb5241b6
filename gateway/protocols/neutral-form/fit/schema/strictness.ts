import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import { acceptsNull } from './fit-types.ts';
import { isObjectSchema, listOf, membersOf, someSubschema, typesOf } from './keywords.ts';
import { definitionOf } from './references/move-definitions.ts';

/** Schemas under these keywords restrict a value that others describe. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'contains',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
]);

/** Any of these says what a value is. */
const DESCRIBES_VALUES = ['$ref', 'allOf', 'anyOf', 'const', 'enum', 'oneOf', 'type'];

/**
 * Reports whether a schema, as the client sent it, leaves a value open: an object with any
 * properties, or a value of any type. With closed objects, none of its values could be written.
 */
export function isOpen(schema: JsonObject, isRoot = true): boolean {
  const isObject = isObjectSchema(schema);
  if (!isRoot && !isObject && !DESCRIBES_VALUES.some((one) => Object.hasOwn(schema, one))) {
    return true;
  }
  if (isObject && hasAnyProperties(schema, isRoot)) return true;
  const { items } = schema;
  const isTuple = Array.isArray(items) || listOf(schema, 'prefixItems').length > 0;
  if (typesOf(schema).includes('array') && !isTuple && !isJsonObject(items)) return true;
  return Object.entries(schema).some(
    ([keyword, value]) =>
      !CONDITIONS.has(keyword) && someSubschema(keyword, value, (one) => isOpen(one, false)),
  );
}

function hasAnyProperties(schema: JsonObject, isRoot: boolean): boolean {
  const { additionalProperties: others } = schema;
  const properties = Object.values(membersOf(schema, 'properties'));
  if (others === true || isJsonObject(others) || properties.includes(true)) return true;
  if (Object.hasOwn(schema, 'patternProperties')) return true;
  // An object without properties is a map, unless it is closed; a tool may have no parameters.
  return others !== false && properties.length === 0 && !isRoot;
}

/**
 * Reports whether a schema has a property that may be left out but not be null. A target that
 * requires all properties would write null, which the client does not expect.
 */
export function hasOptionalProperty(schema: JsonObject, root: JsonObject = schema): boolean {
  const required = new Set(listOf(schema, 'required'));
  const isOptional = Object.entries(membersOf(schema, 'properties')).some(
    ([name, property]) =>
      !required.has(name) && isJsonObject(property) && !acceptsNull(property, root),
  );
  if (isOptional) return true;
  return Object.entries(schema).some(([keyword, value]) =>
    someSubschema(keyword, value, (one) => hasOptionalProperty(one, root)),
  );
}

/** References behind one another that are followed to see what the root is. */
const HOPS_MAX = 8;

/** Reports whether a schema is one object, without alternatives that would have to be merged. */
export function isOneObject(schema: JsonObject, root: JsonObject = schema, hops = 0): boolean {
  if (['anyOf', 'const', 'enum', 'not', 'oneOf'].some((one) => Object.hasOwn(schema, one))) {
    return false;
  }
  const target = definitionOf(schema['$ref'], root);
  if (target !== undefined) return hops < HOPS_MAX && isOneObject(target, root, hops + 1);
  const types = typesOf(schema);
  if (types.length > 0 && (types.length > 1 || types[0] !== 'object')) return false;
  const parts = listOf(schema, 'allOf').filter(isJsonObject);
  return hops < HOPS_MAX && parts.every((part) => isOneObject(part, root, hops + 1));
}
