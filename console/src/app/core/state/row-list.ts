import { computed, signal, type Signal } from '@angular/core';
import { PAGE_LIMIT_MAX } from '@weir/shared/api/pages';
import { failureOf, type Failure } from '../api/api-failure';

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
  /** Rows that match, of lists that can be changed in bulk; null if they are too many. */
  readonly total?: number | null;
}

export type FetchPage<Row> = (cursor: string | undefined) => Promise<Page<Row>>;

/**
 * Asks for a page of a long list: the first is short, so that it shows soon; a user who scrolls on
 * gets more at a time.
 */
export function nextPage(cursor: string | undefined): { cursor?: string; limit?: number } {
  return cursor === undefined ? {} : { cursor, limit: PAGE_LIMIT_MAX };
}

/** Most rows have an id; another kind of row is identified as its list says. */
function ownId(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'id' in row ? row.id : row;
}

/**
 * A list that grows by cursor as it is scrolled. `load` starts over and keeps the former rows until
 * the first page is there or has failed: they may be others than those that were asked for. `more`
 * adds the next page; only one request runs at a time.
 */
export class RowList<Row> {
  readonly #fetch: FetchPage<Row>;
  readonly #rows = signal<readonly Row[] | undefined>(undefined);
  readonly #failure = signal<Failure | undefined>(undefined);
  readonly #loading = signal(false);
  readonly #cursor = signal<string | null>(null);
  readonly #total = signal<number | null>(null);
  readonly #generation = signal(0);
  /** The first page as it is now, if it has rows that are not shown. */
  readonly #newer = signal<{ readonly page: Page<Row>; readonly count: number } | undefined>(
    undefined,
  );
  #turn = 0;
  /** The cursor of the page requested last; none for the first. */
  #asked: string | undefined;

  readonly rows: Signal<readonly Row[]> = computed(() => this.#rows() ?? []);
  readonly failure: Signal<Failure | undefined> = this.#failure.asReadonly();
  readonly loading: Signal<boolean> = this.#loading.asReadonly();
  readonly waiting = computed(() => this.#rows() === undefined && this.#failure() === undefined);
  readonly hasMore = computed(() => this.#cursor() !== null);
  /** The number on the first page; null if the list has none, or if there are too many to count. */
  readonly total: Signal<number | null> = this.#total.asReadonly();
  /** Another one since the list was asked for again, by the same filter or by another. */
  readonly generation: Signal<number> = this.#generation.asReadonly();
  /** Rows that `peek` has found and that are not shown yet. */
  readonly newer = computed(() => this.#newer()?.count ?? 0);
  readonly isEmpty = computed(() => this.#rows()?.length === 0);

  /** Returns the value that identifies a row. */
  readonly idOf: (row: Row) => unknown;

  constructor(fetch: FetchPage<Row>, idOf: (row: Row) => unknown = ownId) {
    this.#fetch = fetch;
    this.idOf = idOf;
  }

  async load(): Promise<void> {
    this.#generation.update((generation) => generation + 1);
    await this.#take(undefined, () => []);
  }

  async more(): Promise<void> {
    const cursor = this.#cursor();
    if (cursor === null || this.#loading()) return;
    await this.#take(cursor, () => this.rows());
  }

  /**
   * Asks once more for the page that failed: a user far down must not begin at the top for it.
   */
  async retry(): Promise<void> {
    await (this.#asked === undefined ? this.load() : this.more());
  }

  /**
   * Looks for newer rows and counts them; what is shown stays. For timers: a failure is not shown,
   * as no one asked.
   */
  async peek(): Promise<void> {
    if (this.#loading() || this.#rows() === undefined) return;
    const turn = this.#turn;
    const page = await this.#fetch(undefined).catch(() => undefined);
    if (page === undefined || turn !== this.#turn) return;
    const known = new Set(this.rows().map(this.idOf));
    const count = page.data.filter((row) => !known.has(this.idOf(row))).length;
    this.#newer.set(count === 0 ? undefined : { page, count });
  }

  /** Shows the rows that `peek` has found, above those that are there. */
  showNewer(): void {
    const newer = this.#newer();
    if (newer === undefined) return;
    const { data, nextCursor } = newer.page;
    const ids = new Set(data.map(this.idOf));
    const older = this.rows().filter((row) => !ids.has(this.idOf(row)));
    // A page without a known row leaves a gap: the list begins again with it.
    const hasGap = nextCursor !== null && older.length === this.rows().length;
    this.#rows.set(hasGap ? data : [...data, ...older]);
    if (hasGap) this.#cursor.set(nextCursor);
    this.#newer.set(undefined);
  }

  /** Shows the reply to a change without asking for the list again. */
  replace(row: Row): void {
    const id = this.idOf(row);
    this.#rows.update((rows) => rows?.map((old) => (this.idOf(old) === id ? row : old)));
  }

  remove(row: Row): void {
    const id = this.idOf(row);
    this.#rows.update((rows) => rows?.filter((other) => this.idOf(other) !== id));
  }

  prepend(row: Row): void {
    this.#rows.update((rows) => [row, ...(rows ?? [])]);
  }

  async #take(cursor: string | undefined, before: () => readonly Row[]): Promise<void> {
    const turn = ++this.#turn;
    this.#asked = cursor;
    this.#loading.set(true);
    try {
      const page = await this.#fetch(cursor);
      if (turn !== this.#turn) return;
      this.#rows.set([...before(), ...page.data]);
      this.#cursor.set(page.nextCursor);
      if (cursor === undefined) this.#total.set(page.total ?? null);
      this.#failure.set(undefined);
      if (cursor === undefined) this.#newer.set(undefined);
    } catch (thrown) {
      if (turn !== this.#turn) return;
      this.#failure.set(failureOf(thrown));
      if (cursor !== undefined) return;
      this.#rows.set(undefined);
      this.#cursor.set(null);
    } finally {
      if (turn === this.#turn) this.#loading.set(false);
    }
  }
}
