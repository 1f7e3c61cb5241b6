import { isJsonObject, type JsonObject } from '../../../../../platform/json/json-value.ts';
import { DEFINITIONS, membersOf, someSubschema } from '../keywords.ts';
import { definitionOf } from './move-definitions.ts';

const NONE: ReadonlySet<JsonObject> = new Set();

/**
 * Returns the definitions of a schema, and the schema itself, that refer to themselves, directly
 * or by others. Definitions between two such circles are among them.
 */
export function recursiveDefinitions(root: JsonObject): ReadonlySet<JsonObject> {
  const definitions = DEFINITIONS.flatMap((keyword) =>
    Object.values(membersOf(root, keyword)).filter(isJsonObject),
  );
  const targets = new Map([root, ...definitions].map((one) => [one, referencesOf(one, root)]));
  if ([...targets.values()].every(({ size }) => size === 0)) return NONE;
  const sources = new Map([...targets.keys()].map((one) => [one, new Set<JsonObject>()]));
  for (const [source, ones] of targets) for (const target of ones) sources.get(target)?.add(source);
  peel(targets, sources);
  peel(sources, targets);
  return new Set(targets.keys());
}

type Edges = Map<JsonObject, Set<JsonObject>>;

/** Removes again and again what has no edge that leaves it: that is in no circle. */
function peel(leaving: Edges, coming: Edges): void {
  const ends = [...leaving].filter(([, { size }]) => size === 0).map(([one]) => one);
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    for (const source of coming.get(end) ?? []) {
      const left = leaving.get(source);
      left?.delete(end);
      if (left?.size === 0) ends.push(source);
    }
    for (const target of leaving.get(end) ?? []) coming.get(target)?.delete(end);
    leaving.delete(end);
    coming.delete(end);
  }
}

/** Returns the schemas that a schema refers to, without its definitions. */
function referencesOf(schema: JsonObject, root: JsonObject): Set<JsonObject> {
  const found = new Set<JsonObject>();
  const collect = (one: JsonObject): boolean => {
    for (const keyword in one) {
      const value = one[keyword];
      if (keyword === '$ref') {
        const target = value === '#' ? root : definitionOf(value, root);
        if (target !== undefined) found.add(target);
      } else if (keyword !== '$defs' && keyword !== 'definitions') {
        someSubschema(keyword, value, collect);
      }
    }
    return false;
  };
  collect(schema);
  return found;
}
