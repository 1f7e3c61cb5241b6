import type { JsonObject } from '../../../../../platform/json/json-value.ts';
import { DEFINITIONS, listOf, mapSubschemas, typesOf, without } from '../keywords.ts';
import { mergeSchemas } from '../merge-schemas.ts';
import { definitionOf } from './move-definitions.ts';

/** References behind one another that are followed. */
export const REFERENCES_DEPTH_MAX = 24;

/**
 * JSON values that may be copied while one schema is fitted: some, and a multiple of its own, up to
 * a limit. References that refer to references grow exponentially when they are replaced: thirty
 * definitions can make a billion values.
 */
const COPIED_VALUES_MIN = 1_000;
const COPIES_OF_EACH = 4;
const COPIED_VALUES_MAX = 20_000;

/** Counts what is copied, so that a hostile schema takes neither memory nor time without bound. */
export class CopyBudget {
  readonly #schema: unknown;
  #left: number | null = null;

  constructor(schema: unknown) {
    this.#schema = schema;
  }

  /** Takes as many times the size of a value; false, and takes nothing, when too little is left. */
  take(value: unknown, times = 1): boolean {
    this.#left ??= Math.min(
      COPIED_VALUES_MIN + COPIES_OF_EACH * sizeOf(this.#schema, COPIED_VALUES_MAX),
      COPIED_VALUES_MAX,
    );
    const size = sizeOf(value, Math.floor(this.#left / times)) * times;
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }
}

/** The JSON values in a value; counting ends above `max`. */
function sizeOf(value: unknown, max: number): number {
  let size = 1;
  if (typeof value !== 'object' || value === null) return size;
  const members: readonly unknown[] = Object.values(value);
  for (const member of members) {
    if (size > max) break;
    size += sizeOf(member, max - size);
  }
  return size;
}

/**
 * Returns a schema in which what they refer to takes the place of references. A recursive one, and
 * one for which the budget of copies does not suffice, becomes a plain schema of the same type
 * with the description.
 */
export function inlineReferences(root: JsonObject, budget: CopyBudget): JsonObject {
  const expand = (schema: JsonObject, open: readonly JsonObject[]): JsonObject => {
    const { $ref: ref } = schema;
    if (ref === undefined) return mapSubschemas(schema, (subschema) => expand(subschema, open));
    const target = ref === '#' ? root : definitionOf(ref, root);
    const siblings = without(schema, ['$ref']);
    if (target === undefined) return expand(siblings, open);
    const isOpen = open.includes(target) || open.length >= REFERENCES_DEPTH_MAX;
    if (isOpen || !budget.take(target)) {
      return { ...plainSchema(target, root), ...expand(siblings, open) };
    }
    const expanded = expand(without(target, DEFINITIONS), [...open, target]);
    return besideReference(expand(siblings, open), expanded);
  };
  return expand(without(root, DEFINITIONS), [root]);
}

/** Keywords next to a reference describe its use, and win over those of its target. */
export function besideReference(siblings: JsonObject, target: JsonObject): JsonObject {
  const names = Object.keys(siblings);
  return names.length === 0 ? target : mergeSchemas([siblings, target]);
}

/** A schema without what is inside it. */
function plainSchema(schema: JsonObject, root: JsonObject, hops = 0): JsonObject {
  const target = hops < REFERENCES_DEPTH_MAX ? definitionOf(schema['$ref'], root) : undefined;
  if (target !== undefined) return plainSchema(target, root, hops + 1);
  const { description } = schema;
  const words = typeof description === 'string' ? { description } : {};
  const isFree = typesOf(schema).length === 0 && !isObjectLike(schema);
  // A recursive union has no type of its own.
  if (isFree) return words;
  const type = schema['type'] ?? 'object';
  return type === 'array' ? { type, items: {}, ...words } : { type, ...words };
}

function isObjectLike(schema: JsonObject): boolean {
  return Object.hasOwn(schema, 'properties') || listOf(schema, 'allOf').length > 0;
}
