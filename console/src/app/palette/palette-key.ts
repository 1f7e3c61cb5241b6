import { DestroyRef, inject, Injector } from '@angular/core';
import { Session } from '../core/session/session';

export interface PaletteOpener {
  open(): void;
}

/** Opens the command palette on Ctrl+K or ⌘K. The palette itself is loaded when first wanted. */
export function openPaletteOn(document: Document): PaletteOpener {
  const injector = inject(Injector);
  const session = inject(Session);
  const open = async (): Promise<void> => {
    if (session.user() === undefined) return;
    const { openPalette } = await import('./open-palette');
    openPalette(injector);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void open();
  };
  document.addEventListener('keydown', onKey);
  inject(DestroyRef).onDestroy(() => document.removeEventListener('keydown', onKey));
  return { open: () => void open() };
}
