import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { equationsOf, matches } from './matches.ts';
import type { PatchPath, PatchVerb } from './patch-path.ts';
import { readElement, readValue, withoutRepeats } from './read-resource.ts';
import type { Attribute } from './schema.ts';
import { invalid } from './scim-error.ts';

interface Change {
  readonly verb: PatchVerb;
  readonly value: unknown;
}

function elementsOf(attribute: Attribute, value: unknown): readonly JsonObject[] {
  const read = readValue(attribute, value);
  return Array.isArray(read) ? read.filter(isJsonObject) : [];
}

/**
 * Entra names the values to remove next to the path, outside of the standard. Taking the path alone
 * would remove all members of a group.
 */
function withoutNamed(
  list: readonly JsonObject[],
  attribute: Attribute,
  value: unknown,
): readonly JsonObject[] {
  const isNamed = value !== undefined && value !== null;
  if (!isNamed) return [];
  const named = new Set(elementsOf(attribute, value).map((one) => one['value']));
  return list.filter((one) => !named.has(one['value']));
}

/** Changes all values of a list, or the list as a whole. */
function patchWhole(
  list: readonly JsonObject[],
  { attribute, sub }: { readonly attribute: Attribute; readonly sub: Attribute | undefined },
  { verb, value }: Change,
): readonly JsonObject[] {
  if (sub !== undefined) return setPart(list.length === 0 ? [{}] : list, sub, { verb, value });
  if (verb === 'remove') return withoutNamed(list, attribute, value);
  const elements = elementsOf(attribute, value);
  return verb === 'replace' ? elements : withoutRepeats([...list, ...elements]);
}

function setPart(
  list: readonly JsonObject[],
  sub: Attribute,
  { verb, value }: Change,
): readonly JsonObject[] {
  const read = verb === 'remove' ? undefined : readValue(sub, value);
  return list.map((one) => {
    const { [sub.name]: _former, ...others } = one;
    return read === undefined ? others : { ...others, [sub.name]: read };
  });
}

/**
 * The value that a filter of equations describes: Entra changes `emails[type eq "work"].value` also
 * for a person who has none.
 */
function newElement(attribute: Attribute, filter: NonNullable<PatchPath['filter']>): JsonObject {
  const equations = attribute.name === 'members' ? null : equationsOf(filter);
  const made = equations && readElement(attribute, Object.fromEntries(equations));
  if (made == null)
    throw invalid('noTarget', `No value of "${attribute.name}" matches the filter.`);
  return made;
}

/** Returns a list after one operation; undefined for an empty one. */
export function patchList(
  known: unknown,
  path: PatchPath,
  change: Change,
): readonly JsonObject[] | undefined {
  const { attribute, sub, filter } = path;
  const list = Array.isArray(known) ? known.filter(isJsonObject) : [];
  if (attribute === undefined) return list;
  const patched =
    filter === undefined
      ? patchWhole(list, { attribute, sub }, change)
      : patchSome(list, { attribute, sub, filter }, change);
  const kept = patched.filter((one) => one['value'] !== undefined);
  return kept.length === 0 ? undefined : withOnePrimary(kept, list);
}

/** A value that becomes the primary one takes that from the others (RFC 7644, section 3.5.2). */
function withOnePrimary(
  list: readonly JsonObject[],
  former: readonly JsonObject[],
): readonly JsonObject[] {
  const isPrimary = (one: JsonObject) => one['primary'] === true;
  const made = list.findLast((one) => isPrimary(one) && !former.includes(one));
  if (made === undefined) return list;
  return list.map((one) => (one !== made && isPrimary(one) ? { ...one, primary: false } : one));
}

interface Some {
  readonly attribute: Attribute;
  readonly sub: Attribute | undefined;
  readonly filter: NonNullable<PatchPath['filter']>;
}

/** Changes the values that a filter finds. */
function patchSome(
  list: readonly JsonObject[],
  { attribute, sub, filter }: Some,
  change: Change,
): readonly JsonObject[] {
  const isMeant = (one: JsonObject) => matches(filter, one, attribute);
  const others = list.filter((one) => !isMeant(one));
  const found = list.filter(isMeant);
  if (change.verb === 'remove') {
    return sub === undefined ? others : [...others, ...setPart(found, sub, change)];
  }
  const meant = found.length === 0 ? [newElement(attribute, filter)] : found;
  if (sub !== undefined) return [...others, ...setPart(meant, sub, change)];
  const [read] = elementsOf(attribute, change.value);
  return [...others, ...meant.map((one) => ({ ...one, ...read }))];
}
