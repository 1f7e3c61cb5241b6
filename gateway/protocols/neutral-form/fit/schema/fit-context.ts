import type { JsonObject } from '../../../../platform/json/json-value.ts';
import type { SchemaRules } from '../../../target-profile.ts';
import { besideReference, type CopyBudget } from './references/inline-references.ts';
import { DEFINITIONS, without } from './keywords.ts';
import { definitionOf } from './references/move-definitions.ts';

/** The context shared by all schemas inside one that is fitted. */
export interface FitContext {
  readonly rules: SchemaRules;
  /** Has the definitions. */
  readonly root: JsonObject;
  readonly budget: CopyBudget;
  /** The definitions that refer to themselves, directly or by others. */
  readonly recursive: ReadonlySet<JsonObject>;
}

export function accepts({ keywords, refused }: SchemaRules, keyword: string): boolean {
  return keywords === null ? refused?.has(keyword) !== true : keywords.has(keyword);
}

/**
 * Returns a schema with what its `$ref` names in the place of the reference; null when it has to
 * stay a reference, because that is recursive or too large. The root alone may begin with a
 * recursive definition: `open` is what has been put in its place already.
 */
export function resolved(
  schema: JsonObject,
  { root, budget, recursive }: FitContext,
  open: readonly JsonObject[] | null = null,
): { readonly schema: JsonObject; readonly target: JsonObject } | null {
  const target = schema['$ref'] === '#' ? root : definitionOf(schema['$ref'], root);
  if (target === undefined) return null;
  const isCircle = open === null ? recursive.has(target) : open.includes(target);
  if (isCircle || !budget.take(target)) return null;
  const siblings = without(schema, ['$ref']);
  return { schema: besideReference(siblings, without(target, DEFINITIONS)), target };
}
