import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import type { SchemaRules } from '../../../target-profile.ts';
import { describeAlternatives, withSentences } from './describe.ts';
import { accepts, resolved, type FitContext } from './fit-context.ts';
import { REFERENCES_DEPTH_MAX } from './references/inline-references.ts';
import {
  ANNOTATIONS,
  listOf,
  OBJECT_KEYWORDS,
  TYPED_KEYWORDS,
  typesOf,
  without,
} from './keywords.ts';
import { commonTypes, mergeSchemas } from './merge-schemas.ts';
import { ALTERNATIVES_MAX } from './root-object.ts';

/** Brings `allOf`, `oneOf` and `anyOf` of one schema into the form that the target takes. */
export function fitAlternatives(schema: JsonObject, context: FitContext): JsonObject {
  const { rules } = context;
  const merged = mergeAllOf(schema, context);
  const alternatives = rules.oneOf === 'accepted' ? merged : asAnyOf(merged);
  const moved = movedKeywords(alternatives, rules);
  const distributed = moved.length === 0 ? alternatives : distribute(alternatives, moved, context);
  return rules.undeclaredRequired ? distributed : withoutUndeclaredBranches(distributed);
}

/**
 * Merges `allOf` into the schema where the target does not take it. Closed objects cannot stay
 * apart either: each would refuse the properties of the others.
 */
function mergeAllOf(schema: JsonObject, context: FitContext): JsonObject {
  const isTaken = accepts(context.rules, 'allOf') && !context.rules.closedObjects;
  const parts = listOf(schema, 'allOf').filter(isJsonObject).slice(0, ALTERNATIVES_MAX);
  if (isTaken || parts.length === 0) return schema;
  const base = without(schema, ['allOf']);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    // A recursive definition has to stay a reference.
    const whole = whollyMerged(only, context) ?? only;
    return mergeSchemas([base, whole]);
  }
  const whole = parts.map((part) => whollyMerged(part, context) ?? without(part, ['$ref']));
  return mergeSchemas([base, ...whole]);
}

/** Returns a part without references and `allOf` at its top; null when it has to stay as it is. */
function whollyMerged(part: JsonObject, context: FitContext, hops = 0): JsonObject | null {
  if (!Object.hasOwn(part, '$ref')) return mergeAllOf(part, context);
  const found = hops < REFERENCES_DEPTH_MAX ? resolved(part, context) : null;
  return found === null ? null : whollyMerged(found.schema, context, hops + 1);
}

/** Values that match one of several schemas alone match any of them. */
export function asAnyOf(schema: JsonObject): JsonObject {
  const { oneOf, ...rest } = schema;
  if (oneOf === undefined) return schema;
  return Object.hasOwn(schema, 'anyOf') ? rest : { ...rest, anyOf: oneOf };
}

const VALUE_KEYWORDS = ['const', 'enum', 'type'];
const OBJECT_RESTRICTIONS: ReadonlySet<string> = new Set(OBJECT_KEYWORDS);

/** The keywords next to `anyOf` that have to move into its branches. */
function movedKeywords(schema: JsonObject, rules: SchemaRules): readonly string[] {
  if (!Object.hasOwn(schema, 'anyOf')) return [];
  const present = Object.keys(schema).filter(
    (keyword) => TYPED_KEYWORDS.has(keyword) || VALUE_KEYWORDS.includes(keyword),
  );
  const isTypeList = Array.isArray(schema['type']) && rules.typeLists !== 'accepted';
  const isObject =
    typesOf(schema).includes('object') ||
    present.some((keyword) => OBJECT_RESTRICTIONS.has(keyword));
  const isClosed = rules.closedObjects && isObject;
  return isTypeList || isClosed || rules.besideAnyOf === 'into_branches' ? present : [];
}

/** Moves keywords into all branches; without the branches when that makes too much. */
function distribute(schema: JsonObject, moved: readonly string[], context: FitContext): JsonObject {
  const branches = listOf(schema, 'anyOf').filter(isJsonObject);
  const base = Object.fromEntries(moved.map((keyword) => [keyword, schema[keyword]]));
  const outer = without(schema, moved);
  if (!context.budget.take(base, branches.length)) return without(schema, ['anyOf']);
  const isTypeAlone = moved.every((keyword) => keyword === 'type');
  const whole = branches.map((branch) => {
    if (!Object.hasOwn(branch, '$ref')) return mergeBranch(branch, base);
    if (isTypeAlone) return branch;
    const found = resolved(branch, context);
    return found === null ? branch : mergeBranch(found.schema, base);
  });
  return { ...outer, anyOf: whole };
}

function mergeBranch(branch: JsonObject, base: JsonObject): JsonObject {
  const types = typesOf(branch);
  const baseTypes = typesOf(base);
  const isApart =
    types.length > 0 && baseTypes.length > 0 && commonTypes(types, baseTypes).length === 0;
  return isApart ? branch : mergeSchemas([branch, base]);
}

/** Branches that only name required properties say it in words: some targets refuse them. */
function withoutUndeclaredBranches(schema: JsonObject): JsonObject {
  const branches = listOf(schema, 'anyOf').filter(isJsonObject);
  if (!branches.some(isRequirementAlone)) return schema;
  const sentence = describeAlternatives(branches.map((branch) => listOf(branch, 'required')));
  return withSentences(without(schema, ['anyOf']), sentence === undefined ? [] : [sentence]);
}

function isRequirementAlone(branch: JsonObject): boolean {
  const { required } = branch;
  return (
    Array.isArray(required) &&
    Object.keys(branch).every(
      (keyword) => keyword === 'required' || keyword === 'type' || ANNOTATIONS.has(keyword),
    )
  );
}
