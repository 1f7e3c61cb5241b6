import { signal } from '@angular/core';

const ROWS_SHOWN = 20;

/** Cuts a list to its first rows until all are asked for: thousands are slow to draw. */
export class FirstRows {
  readonly #max = signal(ROWS_SHOWN);

  of<Row>(rows: readonly Row[]): readonly Row[] {
    return rows.slice(0, this.#max());
  }

  cuts({ length }: readonly unknown[]): boolean {
    return length > this.#max();
  }

  showAll(): void {
    this.#max.set(Infinity);
  }
}
