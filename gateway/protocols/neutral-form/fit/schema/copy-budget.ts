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
