import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';
import type { NameRule } from '../../../target-profile.ts';
import { isFitting } from '../names/fitted-name.ts';
import { FittedNames } from '../names/fitted-names.ts';
import { withSentences } from './describe.ts';
import { mapSubschemas, membersOf, someSubschema, without } from './keywords.ts';

export interface FittedProperties {
  readonly schema: JsonObject;
  /** Undefined where every name fits. */
  readonly names?: FittedNames;
}

/**
 * Gives properties whose names a target refuses others, which each property's description
 * explains. One name is fitted in the same way wherever it is in the schema, so that the way back
 * needs the names alone.
 */
export function fitPropertyNames(schema: JsonObject, rule: NameRule | undefined): FittedProperties {
  if (rule === undefined) return { schema };
  const given = new Set<string>();
  collectNames(schema, given);
  if ([...given].every((name) => isFitting(name, rule))) return { schema };
  const names = new FittedNames(rule, given, 'property');
  return { schema: renamedIn(schema, names), names };
}

function collectNames(schema: JsonObject, names: Set<string>): void {
  for (const keyword in schema) {
    const value = schema[keyword];
    if (keyword === 'properties' && isJsonObject(value)) {
      for (const name of Object.keys(value)) names.add(name);
    }
    // Nothing is looked for: the test sees every schema inside.
    someSubschema(keyword, value, (subschema) => {
      collectNames(subschema, names);
      return false;
    });
  }
}

/** Keywords whose values are data, in which objects may have the properties. */
const DATA: readonly string[] = ['const', 'default', 'enum', 'example', 'examples'];
/** Keywords whose members are named like properties. */
const BY_PROPERTY: readonly string[] = ['dependentRequired', 'dependentSchemas'];
/** Lists of names of properties. */
const NAME_LISTS: readonly string[] = ['required', 'propertyOrdering'];

function renamedIn(schema: JsonObject, names: FittedNames): JsonObject {
  const inside = mapSubschemas(schema, (subschema) => renamedIn(subschema, names));
  const renamed: Record<string, unknown> = { ...inside };
  for (const keyword of DATA) {
    if (Object.hasOwn(inside, keyword)) renamed[keyword] = renamedData(inside[keyword], names);
  }
  for (const keyword of NAME_LISTS) {
    if (Object.hasOwn(inside, keyword)) renamed[keyword] = renamedList(inside[keyword], names);
  }
  for (const keyword of BY_PROPERTY) {
    if (!isJsonObject(inside[keyword])) continue;
    renamed[keyword] = membersRenamed(membersOf(inside, keyword), names, (value) =>
      renamedList(value, names),
    );
  }
  if (!isJsonObject(inside['properties'])) return renamed;
  const properties = membersOf(inside, 'properties');
  renamed['properties'] = membersRenamed(properties, names, (value, name) =>
    names.fitted.has(name) ? explained(value, name) : value,
  );
  // A rule for names could exclude the fitted ones.
  const isChanged = Object.keys(properties).some((name) => names.fitted.has(name));
  return isChanged ? without(renamed, ['propertyNames']) : renamed;
}

function membersRenamed(
  members: JsonObject,
  names: FittedNames,
  change: (value: unknown, name: string) => unknown,
): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [names.of(name), change(value, name)]),
  );
}

/** Says a property's own name, of which the fitted one may have no letter. */
function explained(property: unknown, name: string): unknown {
  return isJsonObject(property)
    ? withSentences(property, [`Stands for the property ${JSON.stringify(name)}.`])
    : property;
}

function renamedList(value: unknown, names: FittedNames): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => (typeof one === 'string' ? names.of(one) : one));
}

function renamedData(value: unknown, names: FittedNames): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => renamedData(one, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [names.of(name), renamedData(one, names)]),
  );
}
