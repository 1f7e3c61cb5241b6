import type { JsonObject } from '../../../../platform/json/json-value.ts';
import { mapSubschemas, membersOf, someSubschema, without } from './keywords.ts';
import { referenceTo } from './move-definitions.ts';

const NAME = 'root';

/**
 * Returns a schema that refers to itself by a definition at its top, as the root is no place that
 * the target's references may name. The root has to be an object and stays as it is.
 */
export function nameRoot(root: JsonObject): JsonObject {
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
