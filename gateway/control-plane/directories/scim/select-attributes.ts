import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { locate, type ResourceKind } from './schema.ts';

/** Attributes that every reply has. */
const ALWAYS = new Set(['schemas', 'id']);

/** The attributes of a reply that a client asks for, or wants left out; undefined for all. */
export interface Selection {
  readonly attributes: string | undefined;
  readonly excludedAttributes: string | undefined;
}

function namesOf(kind: ResourceKind, list: string): (readonly string[])[] {
  return list.split(',').flatMap((name) => {
    const found = locate(kind, name.trim());
    return found === undefined ? [] : [found.names];
  });
}

function partOf(value: unknown, name: string): unknown {
  const only = (one: unknown) => (isJsonObject(one) ? { [name]: one[name] } : one);
  return Array.isArray(value) ? value.map(only) : only(value);
}

function without(value: unknown, name: string): unknown {
  const less = (one: unknown) => {
    if (!isJsonObject(one)) return one;
    const { [name]: _left, ...others } = one;
    return others;
  };
  return Array.isArray(value) ? value.map(less) : less(value);
}

function keep(kind: ResourceKind, resource: JsonObject, list: string): OwnJsonObject {
  const kept: OwnJsonObject = {};
  for (const [name, value] of Object.entries(resource)) if (ALWAYS.has(name)) kept[name] = value;
  for (const [top = '', second] of namesOf(kind, list)) {
    const value = resource[top];
    if (value === undefined) continue;
    const part = second === undefined ? value : partOf(value, second);
    const known = kept[top];
    kept[top] = isJsonObject(known) && isJsonObject(part) ? { ...known, ...part } : part;
  }
  return kept;
}

function leaveOut(kind: ResourceKind, resource: JsonObject, list: string): OwnJsonObject {
  const kept: OwnJsonObject = { ...resource };
  for (const [top = '', second] of namesOf(kind, list)) {
    if (ALWAYS.has(top)) continue;
    if (second === undefined) Reflect.deleteProperty(kept, top);
    else kept[top] = without(kept[top], second);
  }
  return kept;
}

/** Returns the part of a resource that a client asks for (RFC 7644, section 3.9). */
export function selectAttributes(
  kind: ResourceKind,
  resource: JsonObject,
  { attributes, excludedAttributes }: Selection,
): JsonObject {
  if (attributes !== undefined) return keep(kind, resource, attributes);
  if (excludedAttributes !== undefined) return leaveOut(kind, resource, excludedAttributes);
  return resource;
}

/** True when the reply has the attribute, so that it has to be read. */
export function wants(kind: ResourceKind, selection: Selection, name: string): boolean {
  const { attributes, excludedAttributes } = selection;
  const names = (list: string) => namesOf(kind, list).some(([top]) => top === name);
  if (attributes !== undefined) return names(attributes);
  if (excludedAttributes === undefined) return true;
  return !namesOf(kind, excludedAttributes).some(
    ([top, second]) => top === name && second === undefined,
  );
}
