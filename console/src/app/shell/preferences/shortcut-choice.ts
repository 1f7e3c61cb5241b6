import { signal } from '@angular/core';
import type { Keeper } from '../../core/state/browser-storage';

const STORAGE_KEY = 'weir.shortcuts';

/** Keys may be switched off: who dictates to a browser would press them with every word. */
export class ShortcutChoice {
  readonly #storage: Keeper;
  readonly #on = signal(true);
  readonly on = this.#on.asReadonly();

  constructor(storage: Keeper) {
    this.#storage = storage;
    this.#on.set(storage.getItem(STORAGE_KEY) !== 'off');
  }

  choose(on: boolean): void {
    this.#on.set(on);
    if (on) this.#storage.removeItem(STORAGE_KEY);
    else this.#storage.setItem(STORAGE_KEY, 'off');
  }
}
