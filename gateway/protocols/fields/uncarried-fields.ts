import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import type { Shape, Shapes } from './shape.ts';

/**
 * Returns the fields of a request for which the neutral form has no place, by their paths: no
 * upstream of another protocol gets them, and the reply's header names them.
 * @param carried what the protocol's reader reads; a field that is no map of others is read whole
 * @param withheld fields that no upstream gets, which are named elsewhere
 */
export function uncarriedFields(
  body: JsonObject,
  carried: Shapes,
  withheld: readonly string[],
): readonly string[] {
  const found = new Set<string>();
  for (const name in body) {
    if (!withheld.includes(name)) collect(body[name], carried.get(name), name, found);
  }
  return [...found];
}

function collect(value: unknown, shape: Shape | undefined, path: string, found: Set<string>): void {
  if (value === undefined || value === null) return;
  if (shape === undefined) {
    found.add(path);
    return;
  }
  if (typeof shape === 'string' || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) collect(element, shape, `${path}[]`, found);
  } else if (isJsonObject(value)) {
    for (const name in value) collect(value[name], shape.get(name), `${path}.${name}`, found);
  }
}
