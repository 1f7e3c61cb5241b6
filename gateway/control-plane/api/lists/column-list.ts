/** One column of an update: SQL name and new value. */
export type ColumnChange = readonly [column: string, value: unknown];

/**
 * The set clause of an update that touches only what was given, so that triggers on columns fire
 * for real changes alone. Column names come from code, never from a request.
 */
export function setClause(
  changes: readonly ColumnChange[],
  firstParameter: number,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const sets = changes.map(([column], index) => `${column} = $${String(firstParameter + index)}`);
  return {
    sql: [...sets, 'updated_at = now()'].join(', '),
    values: changes.map(([, value]) => value),
  };
}

/** Keeps the changes whose field was sent. `undefined` is "not sent", null is a value. */
export function given(changes: readonly (readonly [string, unknown])[]): ColumnChange[] {
  return changes.filter(([, value]) => value !== undefined);
}
