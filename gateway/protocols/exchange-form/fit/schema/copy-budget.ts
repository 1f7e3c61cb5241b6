import { isJsonObject } from '../../../../platform/json/json-value.ts';

/**
 * JSON values that may be copied while one schema is fitted. References that refer to references
 * grow exponentially when they are replaced: thirty definitions can make a billion values.
 */
export const COPIED_VALUES_MAX = 20_000;

/** Counts what is copied, so that a hostile schema cannot make a request of any size. */
export class CopyBudget {
  #left: number;

  constructor(values: number = COPIED_VALUES_MAX) {
    this.#left = values;
  }

  /** Takes as many times the size of a value; false, and takes nothing, when too little is left. */
  take(value: unknown, times = 1): boolean {
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
  const members: readonly unknown[] = isJsonObject(value)
    ? Object.values(value)
    : Object.values(value);
  for (const member of members) {
    if (size > max) break;
    size += sizeOf(member, max - size);
  }
  return size;
}
