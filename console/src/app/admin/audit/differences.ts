/** A field that an act changed; `undefined` where it was not there. */
export interface Difference {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The fields of a view; none where there was no view. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value));
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What differs between before and after, field by field. */
export function differences(before: unknown, after: unknown): Difference[] {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => {
    const one = was.has(field) ? words(was.get(field)) : undefined;
    const other = is.has(field) ? words(is.get(field)) : undefined;
    return one === other ? [] : [{ field, before: one, after: other }];
  });
}
