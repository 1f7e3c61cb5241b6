import { computed, signal, type Signal } from '@angular/core';
import { failureOf, type Failure } from '../api/api-failure';

/** A row for which the work of all selected rows could not be done. */
export interface RowFailure {
  /** What the row is called. */
  readonly name: string;
  readonly failure: Failure;
}

/**
 * The rows of a list that were selected, by id. Rows that leave the list are selected no longer.
 */
export class Selection<Row> {
  readonly #rows: Signal<readonly Row[]>;
  readonly #idOf: (row: Row) => string;
  readonly #ids = signal<ReadonlySet<string>>(new Set());
  readonly #failures = signal<readonly RowFailure[]>([]);

  readonly rows = computed(() => this.#rows().filter((row) => this.#ids().has(this.#idOf(row))));
  readonly hasAll = computed(() => {
    const count = this.#rows().length;
    return count > 0 && this.rows().length === count;
  });
  /** Of the last `forEach`, in the order of the rows. */
  readonly failures: Signal<readonly RowFailure[]> = this.#failures.asReadonly();

  /** What a row is called, for those who listen and where one fails. */
  readonly nameOf: (row: Row) => string;

  constructor(
    rows: Signal<readonly Row[]>,
    { idOf, nameOf }: { idOf: (row: Row) => string; nameOf: (row: Row) => string },
  ) {
    this.#rows = rows;
    this.#idOf = idOf;
    this.nameOf = nameOf;
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

  /** A dialog begins: what failed in an earlier one is not its affair. */
  forgetFailures(): void {
    this.#failures.set([]);
  }

  /**
   * Does the work for one row after the other; one that fails keeps none of the others from it.
   * True when all were done. Those that failed stay selected, so that a repeat does the rest.
   */
  async forEach(work: (row: Row) => Promise<unknown>): Promise<boolean> {
    this.forgetFailures();
    for (const row of this.rows()) {
      try {
        await work(row);
      } catch (thrown) {
        this.#failures.update((all) => [
          ...all,
          { name: this.nameOf(row), failure: failureOf(thrown) },
        ]);
        continue;
      }
      if (this.has(row)) this.toggle(row);
    }
    return this.#failures().length === 0;
  }
}
