import {
  isJsonObject,
  isOwnJsonObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';

/**
 * The members of a field that may pass. Others do not, at whatever depth: an upstream of another
 * vendor, or another gateway, may act on it in a request, and shows in a reply who serves it.
 */
export type Shape =
  /** Content that the model reads or writes, such as messages and schemas: it is not examined. */
  | 'any'
  /** No object, not even in a list. */
  | 'plain'
  /** At most an object of plain values, or a list of such objects. */
  | 'flat'
  /** An object with these members, or a list of such objects. */
  | Shapes;

type NamedShape = readonly [name: string, shape: Shape];

/** More members than this are looked up each time. */
const REMEMBERED_MEMBERS_MAX = 32;

/** Fields by name. */
export class Shapes extends Map<string, Shape> {
  /**
   * The last object's names in their order, and their shapes. Objects of one kind mostly have the
   * same: to compare a name costs less than to look it up.
   */
  readonly #lastNames: string[] = [];
  readonly #lastShapes: Shape[] = [];

  /** Returns the shape of an object's member, by the member's index and name. */
  at(index: number, name: string): Shape | undefined {
    if (this.#lastNames[index] === name) return this.#lastShapes[index];
    const shape = this.get(name);
    if (shape !== undefined && index < REMEMBERED_MEMBERS_MAX) {
      this.#lastNames[index] = name;
      this.#lastShapes[index] = shape;
    }
    return shape;
  }
}

/** @param plain names of fields that are no objects, with spaces between them */
export function shapes(plain: string, others: readonly NamedShape[] = []): Shapes {
  return new Shapes([...named(plain, 'plain'), ...others]);
}

/** @param names of fields that are not looked into, with spaces between them */
export function contents(names: string, others: readonly NamedShape[] = []): Shapes {
  return new Shapes([...named(names, 'any'), ...others]);
}

function named(names: string, shape: Shape): NamedShape[] {
  const each = names.split(/\s+/).filter((name) => name !== '');
  return each.map((name) => [name, shape]);
}

/** Reports whether a value has only members that its shape names. */
export function fits(value: unknown, shape: Shape): boolean {
  if (shape === 'any' || typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) if (!fits(element, shape)) return false;
    return true;
  }
  if (shape === 'plain' || !isJsonObject(value)) return false;
  let index = 0;
  for (const key in value) {
    const member = shape === 'flat' ? 'plain' : shape.at(index, key);
    if (member === undefined) return false;
    index += 1;
    if (member === 'any') continue;
    const inner = value[key];
    // Most members are no objects: to ask here costs half of what a call does.
    if (typeof inner === 'object' && !fits(inner, member)) return false;
  }
  return true;
}

/**
 * The value without what its shape does not name; undefined when nothing is left of it.
 * @param path of the value, for the names that are added to `dropped`
 */
export function prune(value: unknown, shape: Shape, path: string, dropped: Set<string>): unknown {
  if (shape === 'any' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return (value as readonly unknown[])
      .map((element) => prune(element, shape, `${path}[]`, dropped))
      .filter((element) => element !== undefined);
  }
  if (shape === 'plain' || !isOwnJsonObject(value)) {
    dropped.add(path);
    return undefined;
  }
  const kept: (readonly [string, unknown])[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const member = shape === 'flat' ? 'plain' : shape.get(key);
    const place = `${path}.${key}`;
    const left = member === undefined ? undefined : prune(inner, member, place, dropped);
    if (member === undefined) dropped.add(place);
    if (left !== undefined) kept.push([key, left]);
  }
  const isEmptied = kept.length === 0 && Object.keys(value).length > 0;
  return isEmptied ? undefined : Object.fromEntries(kept);
}

/**
 * Takes what is not known out of an object, in place; what is empty then stays. Returns whether
 * there was any.
 */
export function strip(object: OwnJsonObject, known: Shapes): boolean {
  if (fits(object, known)) return false;
  for (const [key, value] of Object.entries(object)) {
    const shape = known.get(key);
    if (shape !== undefined && fits(value, shape)) continue;
    if (typeof shape === 'object') stripEach(value, shape);
    else Reflect.deleteProperty(object, key);
  }
  return true;
}

function stripEach(value: unknown, known: Shapes): void {
  if (Array.isArray(value)) for (const element of value) stripEach(element, known);
  else if (isOwnJsonObject(value)) strip(value, known);
}
