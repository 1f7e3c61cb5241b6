import { computed, signal, type Signal } from '@angular/core';

/**
 * The rows of a list that were selected, by id. Rows that leave the list are selected no longer.
 */
export class Selection<Row> {
  readonly #rows: Signal<readonly Row[]>;
  readonly #idOf: (row: Row) => string;
  readonly #ids = signal<ReadonlySet<string>>(new Set());

  readonly rows = computed(() => this.#rows().filter((row) => this.#ids().has(this.#idOf(row))));
  readonly hasAll = computed(() => {
    const count = this.#rows().length;
    return count > 0 && this.rows().length === count;
  });

  constructor(rows: Signal<readonly Row[]>, idOf: (row: Row) => string) {
    this.#rows = rows;
    this.#idOf = idOf;
  }

  has(row: Row): boolean {
    return this.#ids().has(this.#idOf(row));
  }

  toggle(row: Row): void {
    const id = this.#idOf(row);
    this.#ids.update((ids) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }

  /** All that are loaded, or none when they all are. */
  toggleAll(): void {
    const ids = this.hasAll() ? [] : this.#rows().map((row) => this.#idOf(row));
    this.#ids.set(new Set(ids));
  }

  clear(): void {
    this.#ids.set(new Set());
  }

  /**
   * Does the work for one row after the other. What is done is selected no longer, so that a repeat
   * does the rest.
   */
  async forEach(work: (row: Row) => Promise<unknown>): Promise<void> {
    for (const row of this.rows()) {
      await work(row);
      if (this.has(row)) this.toggle(row);
    }
  }
}
