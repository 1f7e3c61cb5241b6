import { effect } from '@angular/core';
import type { Site } from '../session/site';

/**
 * The key under which the colour is stored for the next visit; `public/theme.js` reads it before
 * the first paint.
 */
const BRAND_STORAGE_KEY = 'weir.brand';

/**
 * Gives the console the operator's colour. Only its hue and strength are taken: the style sheet
 * chooses the lightness, so that every text stays readable on it. Needs an injection context.
 */
export function wearBrand(
  root: HTMLElement,
  storage: Pick<Storage, 'setItem' | 'removeItem'>,
  site: Site,
): void {
  effect(() => {
    const color = site.settings()?.brandColor;
    if (color === undefined) return;
    if (color === '') {
      delete root.dataset['brand'];
      storage.removeItem(BRAND_STORAGE_KEY);
      return;
    }
    root.style.setProperty('--weir-accent', color);
    root.dataset['brand'] = '';
    storage.setItem(BRAND_STORAGE_KEY, color);
  });
}
