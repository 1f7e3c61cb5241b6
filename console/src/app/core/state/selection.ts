import { computed, signal } from '@angular/core';
import type { RowList } from './row-list';

/** The objects of a bulk change: named, or all that match the filter of the list. */
export type BulkTarget<Filters extends object> =
  | { readonly ids: string[] }
  | { readonly matching: Filters & { readonly count: number } };

/** The filters that are set, as the API takes them: an empty one filters nothing. */
type SetFilters<Filters extends object> = {
  [Name in keyof Filters]?: Exclude<Filters[Name], '' | undefined>;
};

/** The parts of a list that a selection needs. */
export type SelectableList<Row> = Pick<RowList<Row>, 'rows'> &
  Partial<Pick<RowList<Row>, 'total' | 'generation'>>;

/**
 * The rows of a list that were selected, by id, or all rows that match its filter, loaded or not.
 * Rows that leave the list are selected no longer, and a new filter ends the selection of all.
 */
export class Selection<Row> {
  readonly #list: SelectableList<Row>;
  readonly #idOf: (row: Row) => string;
  readonly #ids = signal<ReadonlySet<string>>(new Set());
  /** The generation of the list of which all rows are selected. */
  readonly #allOf = signal<number | undefined>(undefined);

  /** True if all rows that match are selected, those included that are not loaded. */
  readonly isEverything = computed(
    () => this.#allOf() !== undefined && this.#allOf() === this.#list.generation?.(),
  );
  readonly rows = computed(() => {
    const rows = this.#list.rows();
    return this.isEverything() ? rows : rows.filter((row) => this.#ids().has(this.#idOf(row)));
  });
  readonly count = computed(() =>
    this.isEverything() ? (this.#list.total?.() ?? 0) : this.rows().length,
  );
  readonly hasAll = computed(() => {
    const count = this.#list.rows().length;
    return count > 0 && this.rows().length === count;
  });
  /** The number that match, while only the loaded ones of them are selected; else null. */
  readonly offered = computed(() => {
    const total = this.#list.total?.() ?? null;
    const isMore = total !== null && total > this.#list.rows().length;
    return isMore && this.hasAll() && !this.isEverything() ? total : null;
  });

  /** The name of a row, for screen readers. */
  readonly nameOf: (row: Row) => string;

  constructor(
    list: SelectableList<Row>,
    { idOf, nameOf }: { idOf: (row: Row) => string; nameOf: (row: Row) => string },
  ) {
    this.#list = list;
    this.#idOf = idOf;
    this.nameOf = nameOf;
  }

  has(row: Row): boolean {
    return this.isEverything() || this.#ids().has(this.#idOf(row));
  }

  toggle(row: Row): void {
    const next = new Set(this.rows().map(this.#idOf));
    const id = this.#idOf(row);
    if (!next.delete(id)) next.add(id);
    this.#select(next);
  }

  /** All that are loaded, or none when they all are. */
  toggleAll(): void {
    this.#select(this.hasAll() ? [] : this.#list.rows().map(this.#idOf));
  }

  /** All that match the filter. */
  selectEverything(): void {
    this.#allOf.set(this.#list.generation?.());
  }

  clear(): void {
    this.#select([]);
  }

  /** The selected objects as a bulk change names them; `filters` are those of the list. */
  target<Filters extends object>(filters: Filters): BulkTarget<SetFilters<Filters>> {
    if (!this.isEverything()) return { ids: this.rows().map(this.#idOf) };
    const set = Object.entries(filters).filter(([, value]) => value !== '' && value !== undefined);
    return {
      matching: { ...(Object.fromEntries(set) as SetFilters<Filters>), count: this.count() },
    };
  }

  #select(ids: Iterable<string>): void {
    this.#allOf.set(undefined);
    this.#ids.set(new Set(ids));
  }
}
