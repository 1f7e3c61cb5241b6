import { effect, untracked } from '@angular/core';
import { RowList, type Page } from './row-list';

/**
 * A list that is asked for at once, and again whenever one of the signals that narrow it changes.
 * Needs an injection context.
 */
export function filteredList<Row, Filters extends object>(
  by: () => Filters,
  fetch: (query: Filters & { readonly cursor: string | undefined }) => Promise<Page<Row>>,
  idOf?: (row: Row) => unknown,
): RowList<Row> {
  const list = new RowList<Row>((cursor) => fetch({ ...by(), cursor }), idOf);
  effect(() => {
    by();
    untracked(() => void list.load());
  });
  return list;
}
