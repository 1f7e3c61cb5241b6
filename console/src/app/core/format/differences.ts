import { readable, type Reader } from './readable';

/** A field that an act changed, in words. */
export interface Difference {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** Fields that change by themselves. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'health']);

/** The fields of a view; none where there was no view. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value));
}

/** Returns the differences between before and after, field by field. */
export function differences(before: unknown, after: unknown, reader: Reader): Difference[] {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => !OWN_FIELDS.has(field))
    .map((field) => ({
      field,
      before: readable(was.get(field), field, reader),
      after: readable(is.get(field), field, reader),
    }))
    .filter((change) => change.before !== change.after);
}
