import { signal } from '@angular/core';
import type { Keeper } from '../state/browser-storage';

const STORAGE_KEY = 'weir.list-view';
const COMPACT = 'compact';

interface Stored {
  readonly compact: boolean;
  /** Ids of columns, by the name of the list. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
}

const NOTHING: Stored = { compact: false, hidden: {} };

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const { compact, hidden }: Partial<Record<keyof Stored, unknown>> = value;
  if (typeof compact !== 'boolean' || typeof hidden !== 'object' || hidden === null) return false;
  return Object.values(hidden).every(
    (ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'),
  );
}

function read(storage: Keeper): Stored {
  try {
    const value: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null');
    return isStored(value) ? value : NOTHING;
  } catch {
    return NOTHING;
  }
}

/**
 * Keeps the view of lists on this device: the height of their rows, which `data-density` of the
 * root element selects, and the columns that are left out.
 */
export class ListView {
  readonly #root: Pick<HTMLElement, 'dataset'>;
  readonly #storage: Keeper;
  readonly #stored = signal(NOTHING);

  constructor(root: Pick<HTMLElement, 'dataset'>, storage: Keeper) {
    this.#root = root;
    this.#storage = storage;
    this.#apply(read(storage));
  }

  isCompact(): boolean {
    return this.#stored().compact;
  }

  isHidden(list: string, column: string): boolean {
    return this.#stored().hidden[list]?.includes(column) === true;
  }

  toggleCompact(): void {
    const stored = this.#stored();
    this.#keep({ ...stored, compact: !stored.compact });
  }

  toggleColumn(list: string, column: string): void {
    const { compact, hidden } = this.#stored();
    const before = hidden[list] ?? [];
    const after = before.includes(column)
      ? before.filter((id) => id !== column)
      : [...before, column];
    this.#keep({ compact, hidden: { ...hidden, [list]: after } });
  }

  #keep(stored: Stored): void {
    this.#storage.setItem(STORAGE_KEY, JSON.stringify(stored));
    this.#apply(stored);
  }

  #apply(stored: Stored): void {
    this.#stored.set(stored);
    if (stored.compact) this.#root.dataset['density'] = COMPACT;
    else delete this.#root.dataset['density'];
  }
}
