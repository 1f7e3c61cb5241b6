import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import type { SchemaRules } from '../../../target-profile.ts';
import { describeKeywords, withSentences } from './describe.ts';
import { definitionOf } from './references/move-definitions.ts';
import {
  KEYWORDS_OF_TYPE,
  isOfType,
  listOf,
  TYPED_KEYWORDS,
  typeOfValue,
  typesOf,
  without,
} from './keywords.ts';
import { mergeSchemas } from './merge-schemas.ts';

/** Brings the type of one schema, and its values, into the form that the target takes. */
export function fitTypes(schema: JsonObject, rules: SchemaRules): JsonObject {
  let fitted = rules.constant === 'as_enum' ? withoutConstant(schema) : schema;
  fitted = withTypeOfValues(fitted, rules);
  if (rules.typeLists === 'as_any_of') fitted = splitTypes(fitted);
  if (rules.typeLists === 'nullable') fitted = asNullable(fitted);
  fitted = fitValues(fitted, rules);
  return rules.typesRequired ? withType(fitted, rules) : fitted;
}

function withoutConstant(schema: JsonObject): JsonObject {
  if (!Object.hasOwn(schema, 'const')) return schema;
  const { const: value, ...rest } = schema;
  return mergeSchemas([{ enum: [value] }, rest]);
}

/** The types of the values of an `enum`; integers count as numbers where both occur. */
function typesOfValues(values: readonly unknown[]): readonly string[] {
  const types = new Set(values.map(typeOfValue));
  if (types.has('number')) types.delete('integer');
  return [...types];
}

/** Names the types of an `enum` where the target wants to see them, or has to be offered one. */
function withTypeOfValues(schema: JsonObject, rules: SchemaRules): JsonObject {
  const values = listOf(schema, 'enum');
  if (values.length === 0 || Object.hasOwn(schema, 'type') || Object.hasOwn(schema, 'anyOf')) {
    return schema;
  }
  const isPlain = rules.typeLists === 'accepted' && rules.enumValues === 'any';
  if (isPlain && !rules.typesRequired) return schema;
  const types = typesOfValues(values);
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

/** A list of types as alternatives, each with the keywords that are about it. */
function splitTypes(schema: JsonObject): JsonObject {
  const types = typesOf(schema);
  if (!Array.isArray(schema['type']) || Object.hasOwn(schema, 'anyOf')) return schema;
  const branches = types.flatMap((type) => branchOfType(schema, type));
  // No value has one of the types: the list of values goes.
  if (branches.length === 0) return splitTypes(without(schema, ['enum']));
  const outer = without(schema, ['type', 'enum', ...TYPED_KEYWORDS]);
  return branches.length === 1 ? { ...outer, ...branches[0] } : { ...outer, anyOf: branches };
}

/** None when an `enum` has no value of the type. */
function branchOfType(schema: JsonObject, type: string): readonly JsonObject[] {
  const keywords = KEYWORDS_OF_TYPE[type] ?? new Set();
  const own = Object.entries(schema).filter(([keyword]) => keywords.has(keyword));
  const branch = { type, ...Object.fromEntries(own) };
  if (!Array.isArray(schema['enum'])) return [branch];
  const values = schema['enum'].filter((value: unknown) => isOfType(typeOfValue(value), type));
  if (values.length === 0) return [];
  return [type === 'null' ? branch : { ...branch, enum: values }];
}

/** OpenAPI has one type, and `nullable` in the place of the type `null`. */
function asNullable(schema: JsonObject): JsonObject {
  const types = typesOf(schema);
  let isNullable = types.includes('null');
  let fitted = schema;
  if (isNullable) {
    const others = types.filter((type) => type !== 'null');
    fitted = { ...fitted, type: others.length === 1 ? others[0] : others };
    if (others.length === 0) fitted = { ...fitted, type: 'string' };
  }
  const values = listOf(fitted, 'enum');
  if (values.includes(null)) {
    isNullable = true;
    const others = values.filter((value) => value !== null);
    fitted = others.length > 0 ? { ...fitted, enum: others } : without(fitted, ['enum']);
  }
  fitted = splitTypes(fitted);
  const branches = listOf(fitted, 'anyOf').filter(isJsonObject);
  const others = branches.filter((branch) => !isNullAlone(branch));
  if (others.length < branches.length) {
    isNullable = true;
    const rest = without(fitted, ['anyOf']);
    if (others.length > 1) fitted = { ...rest, anyOf: others };
    else fitted = mergeSchemas([rest, others[0] ?? { type: 'string' }]);
  }
  return isNullable && fitted['nullable'] !== true ? { ...fitted, nullable: true } : fitted;
}

function isNullAlone(schema: JsonObject): boolean {
  return typesOf(schema).every((type) => type === 'null') && Object.hasOwn(schema, 'type');
}

/** Values of an `enum` that the target does not take are put in words. */
function fitValues(schema: JsonObject, rules: SchemaRules): JsonObject {
  const values = listOf(schema, 'enum');
  if (values.length === 0 || rules.enumValues === 'any') return schema;
  const isTaken = (value: unknown): boolean =>
    typeof value === 'string' ||
    (rules.enumValues === 'strings_or_numbers' && typeof value === 'number');
  if (values.every(isTaken)) return schema;
  const others = values.filter((value) => value !== null);
  if (others.length > 0 && others.every(isTaken) && !Object.hasOwn(schema, 'anyOf')) {
    // Null is a type of its own.
    return splitTypes({ ...schema, type: [...typesOfValues(others), 'null'] });
  }
  const words = rules.otherKeywords === 'describe' ? describeKeywords({ enum: values }) : [];
  return withSentences(without(schema, ['enum']), words);
}

/** Adds the type that a schema's keywords are about, where every schema needs one. */
function withType(schema: JsonObject, rules: SchemaRules): JsonObject {
  for (const keyword of ['type', 'anyOf', '$ref', 'oneOf', 'allOf']) {
    if (Object.hasOwn(schema, keyword)) return schema;
  }
  for (const type of ['object', 'array', 'string', 'number']) {
    const keywords = KEYWORDS_OF_TYPE[type];
    if (Object.keys(schema).some((keyword) => keywords?.has(keyword))) return { type, ...schema };
  }
  return { ...schema, ...anyValue(rules) };
}

/** Any JSON value, for targets to which a schema has to name types. */
function anyValue({ typeLists }: SchemaRules): JsonObject {
  const types = ['string', 'number', 'boolean', 'object'].map((type) => ({ type }));
  const anyOf = [...types, { type: 'array', items: { type: 'string' } }];
  return typeLists === 'nullable'
    ? { anyOf, nullable: true }
    : { anyOf: [...anyOf, { type: 'null' }] };
}

/** References behind one another that are followed to see whether null is a value. */
const HOPS_MAX = 8;

/** Reports whether a schema accepts null. */
export function acceptsNull(schema: JsonObject, root: JsonObject, hops = 0): boolean {
  const { $ref: ref, nullable, enum: values } = schema;
  if (nullable === true) return true;
  if (ref !== undefined) {
    const target = definitionOf(ref, root);
    return target !== undefined && hops < HOPS_MAX && acceptsNull(target, root, hops + 1);
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema, keyword).filter(isJsonObject);
    const isAny = branches.some((branch) => acceptsNull(branch, root, hops + 1));
    if (branches.length > 0 && !isAny) return false;
  }
  if (Object.hasOwn(schema, 'const')) return schema['const'] === null;
  if (Array.isArray(values) && !values.includes(null)) return false;
  return !Object.hasOwn(schema, 'type') || typesOf(schema).includes('null');
}

/** Returns a fitted schema that accepts null as well. */
export function withNull(schema: JsonObject, root: JsonObject, rules: SchemaRules): JsonObject {
  if (acceptsNull(schema, root)) return schema;
  if (rules.typeLists === 'nullable') return { ...schema, nullable: true };
  const isTyped = typesOf(schema).length > 0 && !Object.hasOwn(schema, 'anyOf');
  const hasValues = Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const');
  if (isTyped && !hasValues && rules.typeLists === 'accepted') {
    return { ...schema, type: [...typesOf(schema), 'null'] };
  }
  const { description, anyOf, ...rest } = schema;
  const words = description === undefined ? {} : { description };
  return Array.isArray(anyOf) && Object.keys(rest).length === 0
    ? { ...words, anyOf: [...(anyOf as readonly unknown[]), { type: 'null' }] }
    : { ...words, anyOf: [without(schema, ['description']), { type: 'null' }] };
}
