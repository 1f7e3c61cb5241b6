import { DestroyRef, inject, Injector } from '@angular/core';
import { MatDialog } from '@angular/material/dialog';
import { Router } from '@angular/router';
import { Session } from '../../core/session/session';
import { menuOf, worldOf, type NavLink, type World } from '../navigation/nav-links';
import { ShortcutChoice } from './shortcut-choice';

/** A second key of a pair comes within this, or is a key of its own. */
const PAIR_MS = 1_500;
const OPENERS = '.row-link, a[href], button';

/** Keys without a modifier; `g` is followed by the letter of a page. */
type ShortcutKey = '?' | '/' | 'j' | 'k' | 'g';

/** Pages that have a letter behind `g`, in the order of their menu. */
export function pagesByLetter(world: World, standing: Parameters<typeof menuOf>[1]): NavLink[] {
  return menuOf(world, standing)
    .flatMap(({ links }) => links)
    .filter(({ letter }) => letter !== undefined);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=combobox]'))
  );
}

/** The row that is `step` further than the one with the focus, in the list that is shown. */
function rowFrom(document: Document, step: 1 | -1): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-testid="row"]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (at === -1) return step === 1 ? rows[0] : rows.at(-1);
  return rows[at + step];
}

function focusRow(document: Document, step: 1 | -1): void {
  const opener = rowFrom(document, step)?.querySelector<HTMLElement>(OPENERS);
  opener?.focus();
  opener?.scrollIntoView({ block: 'nearest' });
}

/**
 * Keys without a modifier, while nothing is typed and no dialog is open: `/` for the search of the
 * page, `j` and `k` through its rows, `g` and a letter to another page, `?` for help. Needs an
 * injection context.
 */
export function listenForShortcuts(document: Document, openPalette: () => void): void {
  const injector = inject(Injector);
  const router = inject(Router);
  const session = inject(Session);
  const dialogs = inject(MatDialog);
  const choice = inject(ShortcutChoice);
  let pairUntilMs = 0;

  const follow = (letter: string): boolean => {
    const standing = session.standing();
    const pages = pagesByLetter(worldOf(router.url, standing), standing);
    const page = pages.find((one) => one.letter === letter);
    if (page === undefined) return false;
    void router.navigateByUrl(page.path);
    return true;
  };
  const acts: Readonly<Record<ShortcutKey, () => void>> = {
    '?': () =>
      void import('./shortcuts-dialog').then(({ openShortcuts }) => openShortcuts(injector)),
    '/': () => {
      const search = document.querySelector<HTMLElement>('main weir-search-box input');
      if (search === null) openPalette();
      else search.focus();
    },
    j: () => focusRow(document, 1),
    k: () => focusRow(document, -1),
    g: () => (pairUntilMs = performance.now() + PAIR_MS),
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!choice.on() || session.user() === undefined || isTyping(event.target)) return;
    if (dialogs.openDialogs.length > 0 || document.querySelector('[role=menu]') !== null) return;
    const isPair = performance.now() < pairUntilMs;
    pairUntilMs = 0;
    if (isPair && follow(event.key)) event.preventDefault();
    else if (Object.hasOwn(acts, event.key)) {
      event.preventDefault();
      acts[event.key as ShortcutKey]();
    }
  };
  document.addEventListener('keydown', onKey);
  inject(DestroyRef).onDestroy(() => document.removeEventListener('keydown', onKey));
}
