import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import type { SchemaRules } from '../../../target-profile.ts';
import { boundDepth } from './bound-depth.ts';
import { toCurrentDraft } from './current-draft.ts';
import { describeKeywords, withSentences } from './describe.ts';
import { asAnyOf, fitAlternatives } from './fit-alternatives.ts';
import { accepts, resolved, type FitContext } from './fit-context.ts';
import { fitTypes, withNull } from './fit-types.ts';
import {
  CopyBudget,
  inlineReferences,
  REFERENCES_DEPTH_MAX,
} from './references/inline-references.ts';
import {
  ANNOTATIONS,
  DEFINITIONS,
  isObjectSchema,
  listOf,
  mapSubschemas,
  membersOf,
  NEGATIONS,
  someSubschema,
  typesOf,
  without,
} from './keywords.ts';
import { distinct } from './merge-schemas.ts';
import { moveDefinitions, referenceTo } from './references/move-definitions.ts';
import { recursiveDefinitions } from './references/recursion.ts';
import { toRootObject } from './root-object.ts';

const NAME = 'root';

/**
 * Returns a schema that refers to itself by a definition at its top, as the root is no place that
 * the target's references may name. The root has to be an object and stays as it is.
 */
function nameRoot(root: JsonObject): JsonObject {
  if (!refersToRoot(root)) return root;
  const definitions = membersOf(root, '$defs');
  let name = NAME;
  for (let number = 2; Object.hasOwn(definitions, name); number += 1) name = `${NAME}_${number}`;
  const named = withReferences(root, referenceTo(name));
  const definition = without(named, ['$defs']);
  return { ...named, $defs: { ...membersOf(named, '$defs'), [name]: definition } };
}

function refersToRoot(schema: JsonObject): boolean {
  if (schema['$ref'] === '#') return true;
  return Object.entries(schema).some(([keyword, value]) =>
    someSubschema(keyword, value, refersToRoot),
  );
}

function withReferences(schema: JsonObject, $ref: string): JsonObject {
  const own = schema['$ref'] === '#' ? { ...schema, $ref } : schema;
  return mapSubschemas(own, (subschema) => withReferences(subschema, $ref));
}

/**
 * Returns a schema in the form that a target takes. The very same object comes back when nothing
 * has to change. Keywords that the target refuses are put in words; a value that the schema accepts
 * is accepted by the fitted one, unless the rules close objects or require all properties.
 */
export function fitSchema(schema: JsonObject, rules: SchemaRules): JsonObject {
  const budget = new CopyBudget(schema);
  const current = toCurrentDraft(schema, rules.typeLists === 'nullable');
  const moved = moveDefinitions(current, accepts(rules, 'definitions'));
  const root = rules.refs === 'inline' ? inlineReferences(moved, budget) : moved;
  const context = { rules, root, budget, recursive: recursiveDefinitions(root) };
  const fitted = fitOne(rules.rootAlternatives ? root : toRootObject(root, context), context);
  return boundDepth(rules.rootRefs === 'as_definition' ? nameRoot(fitted) : fitted, rules);
}

/** Fits one schema and those inside it. */
function fitOne(schema: JsonObject, context: FitContext): JsonObject {
  const { rules } = context;
  let fitted = fitTuple(fitForm(schema, context), rules);
  fitted = fitKeywords(fitted, rules);
  fitted = withItems(fitted);
  fitted = withFittedInside(fitted, context);
  if (!rules.undeclaredRequired) fitted = withoutUndeclared(fitted);
  return isObjectSchema(fitted) ? fitObject(fitted, context) : fitted;
}

/** Fits the schemas inside, which may accept more afterwards: what relies on less of it goes. */
function withFittedInside(schema: JsonObject, context: FitContext): JsonObject {
  let fitted = mapSubschemas(schema, (subschema) => fitOne(subschema, context));
  for (const [keyword, group] of NEGATIONS) {
    if (fitted[keyword] === schema[keyword]) continue;
    const words =
      context.rules.otherKeywords === 'describe' ? describeKeywords(only(schema, group)) : [];
    fitted = withSentences(without(fitted, group), words);
  }
  // Two of the branches may match now.
  return fitted['oneOf'] === schema['oneOf'] ? fitted : asAnyOf(fitted);
}

function only(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([one]) => keywords.includes(one)));
}

/** Rounds after which the form of a schema is settled; each can bring up what was inside. */
const ROUNDS_MAX = 8;

/** Brings alternatives, references and types into the form that the target takes. */
function fitForm(schema: JsonObject, context: FitContext): JsonObject {
  let fitted = schema;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const referring = fitReference(fitAlternatives(fitted, context), context);
    const next = fitTypes(referring, context.rules);
    if (next === fitted) break;
    fitted = next;
  }
  return fitted;
}

/** Where the target takes nothing next to `$ref`, the reference goes or has to be alone. */
function fitReference(schema: JsonObject, context: FitContext, hops = 0): JsonObject {
  const { refSiblings } = context.rules;
  if (!Object.hasOwn(schema, '$ref') || refSiblings === 'accepted') return schema;
  const siblings = without(schema, ['$ref', ...DEFINITIONS]);
  if (Object.keys(siblings).length === 0) return schema;
  const restricting = Object.keys(siblings).filter((keyword) => !ANNOTATIONS.has(keyword));
  if (refSiblings === 'inlined' || restricting.length > 0) {
    const found = hops < REFERENCES_DEPTH_MAX ? resolved(schema, context) : null;
    if (found !== null) {
      return fitReference(fitAlternatives(found.schema, context), context, hops + 1);
    }
  }
  if (refSiblings === 'inlined') return without(schema, Object.keys(siblings));
  const { $ref, ...others } = without(schema, restricting);
  return { ...others, anyOf: [{ $ref }] };
}

/** A tuple becomes an array of what any of its places has. */
function fitTuple(schema: JsonObject, rules: SchemaRules): JsonObject {
  const places = listOf(schema, 'prefixItems').filter(isJsonObject);
  if (places.length === 0 || accepts(rules, 'prefixItems')) return schema;
  const { items } = schema;
  const different = distinct(isJsonObject(items) ? [...places, items] : places);
  return { ...schema, items: different.length === 1 ? different[0] : { anyOf: different } };
}

/** An array without `items` is refused by several vendors. */
function withItems(schema: JsonObject): JsonObject {
  const isArray = typesOf(schema).includes('array');
  return isArray && !Object.hasOwn(schema, 'items') ? { ...schema, items: {} } : schema;
}

/** Looks ahead or behind, unless the bracket is a letter. */
const LOOKAROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]/u;

/** Puts the keywords that the target refuses in words, or removes them. */
function fitKeywords(schema: JsonObject, rules: SchemaRules): JsonObject {
  const refused: string[] = [];
  for (const keyword in schema) {
    if (!isKeywordTaken(keyword, schema[keyword], rules)) refused.push(keyword);
  }
  if (refused.length === 0) return schema;
  const taken = without(schema, refused);
  if (rules.otherKeywords === 'remove') return taken;
  return withSentences(taken, describeKeywords(only(schema, refused)));
}

function isKeywordTaken(keyword: string, value: unknown, rules: SchemaRules): boolean {
  if (!accepts(rules, keyword)) return false;
  switch (keyword) {
    case 'format':
      return rules.formats?.has(String(value)) !== false;
    case 'pattern':
      return rules.lookaround || !LOOKAROUND.test(String(value));
    case 'minItems':
      return Number(value) <= rules.minItemsMax;
    default:
      return true;
  }
}

/** Brings the properties of an object into the form that the target takes. */
function fitObject(schema: JsonObject, { rules, root }: FitContext): JsonObject {
  const whole = withProperties(schema);
  const fitted = rules.allRequired ? withAllRequired(whole, root, rules) : whole;
  return rules.closedObjects ? closed(fitted, rules) : fitted;
}

/** OpenAI refuses objects without `properties`: "object schema missing properties". */
function withProperties(schema: JsonObject): JsonObject {
  const isBare = schema['type'] === 'object' && schema['properties'] === undefined;
  return isBare ? { ...schema, properties: {} } : schema;
}

function withoutUndeclared(schema: JsonObject): JsonObject {
  const required = listOf(schema, 'required');
  const properties = membersOf(schema, 'properties');
  const declared = required.filter((name) => Object.hasOwn(properties, String(name)));
  if (declared.length === required.length) return schema;
  return declared.length > 0 ? { ...schema, required: declared } : without(schema, ['required']);
}

function withAllRequired(schema: JsonObject, root: JsonObject, rules: SchemaRules): JsonObject {
  const properties = membersOf(schema, 'properties');
  const required = new Set(listOf(schema, 'required'));
  const names = Object.keys(properties);
  if (names.length === required.size && names.every((name) => required.has(name))) return schema;
  const nullable = Object.entries(properties).map(([name, property]) => {
    const isOptional = !required.has(name) && isJsonObject(property);
    return [name, isOptional ? withNull(property, root, rules) : property] as const;
  });
  return { ...schema, properties: Object.fromEntries(nullable), required: names };
}

function closed(schema: JsonObject, rules: SchemaRules): JsonObject {
  const { additionalProperties } = schema;
  const properties = isJsonObject(schema['properties']) ? {} : { properties: {} };
  if (additionalProperties === false) {
    return 'properties' in properties ? { ...schema, ...properties } : schema;
  }
  const words =
    rules.otherKeywords === 'describe' ? describeKeywords({ additionalProperties }) : [];
  return withSentences({ ...schema, ...properties, additionalProperties: false }, words);
}
