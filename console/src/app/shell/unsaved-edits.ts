import { DestroyRef, inject } from '@angular/core';
import type { CanDeactivateFn } from '@angular/router';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Dialogs } from '../design/dialog/dialogs';

/** The edits on pages that the server does not have. */
export class UnsavedEdits {
  readonly #dialogs = inject(Dialogs);
  readonly #session = inject(Session);
  readonly #t = inject(I18n).t;
  readonly #pages = new Set<() => boolean>();
  #asking: Promise<boolean> | undefined;

  watch(isEdited: () => boolean): () => void {
    this.#pages.add(isEdited);
    return () => this.#pages.delete(isEdited);
  }

  any(): boolean {
    // The edits of a session that has ended cannot be saved.
    return this.#session.user() !== undefined && this.hold();
  }

  /**
   * The same for any user: a session that has ended can be followed by another of the same
   * user.
   */
  hold(): boolean {
    return [...this.#pages].some((isEdited) => isEdited());
  }

  /** Asks whether the page may be left. A user who presses Back twice is asked once. */
  mayLeave(): Promise<boolean> {
    if (!this.any()) return Promise.resolve(true);
    this.#asking ??= this.#dialogs
      .confirm({
        heading: this.#t('unsaved.title'),
        text: this.#t('unsaved.text'),
        action: this.#t('unsaved.discard'),
        destructive: true,
        work: () => Promise.resolve(),
      })
      .finally(() => (this.#asking = undefined));
    return this.#asking;
  }
}

/** Registers a page that edits, in its constructor; its route has `askBeforeLeaving`. */
export function watchEdits(isEdited: () => boolean): void {
  inject(DestroyRef).onDestroy(inject(UnsavedEdits).watch(isEdited));
}

export const askBeforeLeaving: CanDeactivateFn<unknown> = () => inject(UnsavedEdits).mayLeave();
