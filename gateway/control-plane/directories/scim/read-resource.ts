import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import {
  attributeIn,
  fieldIn,
  topAttributes,
  type Attribute,
  type ResourceKind,
} from './schema.ts';
import { invalid } from './scim-error.ts';

const TEXT_CHARACTERS_MAX = 1_000;
/** Values of one list of a person, such as addresses. */
const VALUES_MAX = 100;

function textOf(name: string, value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') throw invalid('invalidValue', `"${name}" is not a text.`);
  const trimmed = text.trim();
  if (trimmed.length > TEXT_CHARACTERS_MAX) throw invalid('invalidValue', `"${name}" is too long.`);
  return trimmed === '' ? undefined : trimmed;
}

/** Entra writes booleans as the texts "True" and "False". */
function booleanOf(name: string, value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false') {
    throw invalid('invalidValue', `"${name}" is neither true nor false.`);
  }
  return text === 'true';
}

function objectOf(
  attributes: readonly Attribute[],
  name: string,
  value: unknown,
): OwnJsonObject | undefined {
  if (!isJsonObject(value)) throw invalid('invalidValue', `"${name}" is not an object.`);
  const read = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    const attribute = attributeIn(attributes, key);
    const known = attribute === undefined ? undefined : readValue(attribute, one);
    return attribute === undefined || known === undefined ? [] : [[attribute.name, known]];
  });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

/** One value of a list, which some clients send as a text alone. */
export function readElement(attribute: Attribute, value: unknown): OwnJsonObject | undefined {
  const { name, subAttributes = [] } = attribute;
  return objectOf(subAttributes, name, isJsonObject(value) ? value : { value });
}

/** Returns the list without values that are there before. */
export function withoutRepeats(values: readonly JsonObject[]): JsonObject[] {
  const known = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify([value['value'], value['type']]);
    return !known.has(key) && known.add(key);
  });
}

function listOf(attribute: Attribute, value: unknown): OwnJsonObject[] | undefined {
  const sent: unknown[] = Array.isArray(value) ? value : [value];
  const isPersonal = attribute.name !== 'members';
  if (isPersonal && sent.length > VALUES_MAX) {
    throw invalid('tooMany', `"${attribute.name}" has more than ${String(VALUES_MAX)} values.`);
  }
  const read = sent
    .map((one) => readElement(attribute, one))
    .filter((one) => one !== undefined)
    .filter((one) => one['value'] !== undefined);
  return read.length === 0 ? undefined : withoutRepeats(read);
}

/** Some clients wrap a single value: `[{ "value": "…" }]`. */
function unwrapped(value: unknown): unknown {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const inner = values.length === 1 ? values[0] : value;
  return isJsonObject(inner) && Object.hasOwn(inner, 'value') ? inner['value'] : inner;
}

/**
 * Reads the value of an attribute; undefined for none: null, an empty text, an empty list. Throws
 * `invalidValue` for one of another type.
 */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  const { name, type } = attribute;
  if (attribute.multiValued === true) return listOf(attribute, value);
  if (type === 'complex') return objectOf(attribute.subAttributes ?? [], name, value);
  const single = unwrapped(value);
  if (single === null || single === undefined) return undefined;
  if (type === 'boolean') return single === '' ? undefined : booleanOf(name, single);
  return textOf(name, single);
}

/**
 * Reads a whole resource as a client writes it. Attributes that Weir does not have or writes itself
 * are left out; names are those of the schema, in whatever case they were sent.
 */
export function readResource(kind: ResourceKind, body: unknown): OwnJsonObject {
  if (!isJsonObject(body)) throw invalid('invalidSyntax', 'The body is not a JSON object.');
  const attributes = topAttributes(kind).filter(({ readOnly }) => readOnly !== true);
  const read = objectOf(attributes, kind.name, body) ?? {};
  const { extension } = kind;
  const sent = extension && fieldIn(body, extension.id);
  if (extension === undefined || sent === undefined) return read;
  const extended = objectOf(extension.attributes, extension.id, sent[1] ?? {});
  return extended === undefined ? read : { ...read, [extension.id]: extended };
}
