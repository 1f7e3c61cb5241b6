import { signal } from '@angular/core';
import type { THEMES } from '@weir/shared/people/users';

export type ThemeChoice = (typeof THEMES)[number];

/**
 * The key under which the choice is stored for the next visit. Not a secret; `public/theme.js`
 * reads it before the first paint.
 */
export const THEME_STORAGE_KEY = 'weir.theme';

function isThemeChoice(value: string | null | undefined): value is ThemeChoice {
  return value === 'system' || value === 'light' || value === 'dark';
}

/**
 * Light, dark, or as the system says. All colours are `light-dark()` pairs, so the choice is
 * nothing but the `color-scheme` that the attribute `data-theme` of the root element selects.
 */
export class Theme {
  readonly #root: HTMLElement;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #choice = signal<ThemeChoice>('system');

  readonly choice = this.#choice.asReadonly();

  constructor(root: HTMLElement, storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#root = root;
    this.#storage = storage;
    const stored = storage.getItem(THEME_STORAGE_KEY);
    this.#apply(isThemeChoice(stored) ? stored : 'system');
  }

  choose(choice: ThemeChoice): void {
    this.#storage.setItem(THEME_STORAGE_KEY, choice);
    this.#apply(choice);
  }

  #apply(choice: ThemeChoice): void {
    this.#choice.set(choice);
    this.#root.dataset['theme'] = choice;
  }
}
