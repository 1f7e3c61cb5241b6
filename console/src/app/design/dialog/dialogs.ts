import { hasModifierKey } from '@angular/cdk/keycodes';
import type { ComponentType } from '@angular/cdk/portal';
import type { Injector } from '@angular/core';
import { type MatDialog, type MatDialogRef, MatDialogState } from '@angular/material/dialog';
import { lastValueFrom } from 'rxjs';
import type { Confirmation } from './confirm-dialog';

/** A dialog that shows what is shown once, as a key, or has done what the page must hear of. */
export interface PreventsClose {
  /** While it does, nothing closes it but the button for that. */
  preventsClose(): boolean;
}

/**
 * The result of `mat-dialog-close` without a value: a user who dismisses a dialog has not given
 * one.
 */
const GIVEN_UP = '';
/** The form, or all of the dialog, while its work is done. */
const BUSY = 'form[aria-busy=true], mat-dialog-content[aria-busy=true]';

/** Opens dialogs and answers what they were closed with; undefined when they were given up. */
export class Dialogs {
  readonly #dialog: MatDialog;

  constructor(dialog: MatDialog) {
    this.#dialog = dialog;
  }

  // Named at each call, so that what goes in is what the dialog injects.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- See above.
  async open<Data, Result>(
    component: ComponentType<unknown>,
    options: { readonly data: Data; readonly wide?: boolean; readonly injector?: Injector },
  ): Promise<Result | undefined> {
    // A menu that led here must close first: the focus is given back to where it is now, and an
    // entry of a menu that is gone cannot take it.
    await new Promise((resolve) => setTimeout(resolve));
    if (this.#isOpen(component)) return undefined;
    const opened: MatDialogRef<unknown, Result | typeof GIVEN_UP> = this.#dialog.open(component, {
      data: options.data,
      panelClass: options.wide === true ? 'weir-dialog-wide' : 'weir-dialog',
      autoFocus: 'first-tabbable',
      restoreFocus: true,
      disableClose: true,
      // By `leave`, which keeps what must not be lost.
      closeOnNavigation: false,
      closePredicate: (answer) => answer !== GIVEN_UP || !isBusy(opened),
      ...(options.injector === undefined ? {} : { injector: options.injector }),
    });
    letGiveUp(opened);
    const result = await lastValueFrom(opened.afterClosed(), { defaultValue: undefined });
    return result === GIVEN_UP ? undefined : result;
  }

  /**
   * Reports whether the page below may be left: not while a dialog has unsaved edits or is busy.
   */
  mayLeave(): boolean {
    return !this.#open().some((opened) => preventsClose(opened) || isBusy(opened));
  }

  /** Gives them up when their page was left. */
  leave(): void {
    if (!this.mayLeave()) return;
    for (const opened of this.#open().reverse()) opened.close(GIVEN_UP);
  }

  anyOpen(): boolean {
    return this.#open().length > 0;
  }

  /** Reports whether closing a dialog would lose something. */
  anyPreventsClose(): boolean {
    return this.#open().some((opened) => preventsClose(opened));
  }

  /** Closes them all, whatever they show or do: who looks at them next is someone else. */
  end(): void {
    this.#dialog.closeAll();
  }

  /** A double click opens one dialog, not another below it. */
  #isOpen(component: ComponentType<unknown>): boolean {
    return this.#open().some(({ componentInstance }) => componentInstance instanceof component);
  }

  /** Without those that are about to be gone. */
  #open(): MatDialogRef<unknown, unknown>[] {
    return this.#dialog.openDialogs.filter((opened) => opened.getState() === MatDialogState.OPEN);
  }

  /** True when it was confirmed and done. */
  async confirm(about: Confirmation): Promise<boolean> {
    const { ConfirmDialog } = await import('./confirm-dialog');
    return (await this.open<Confirmation, boolean>(ConfirmDialog, { data: about })) ?? false;
  }
}

/**
 * Closes a dialog with Escape, and with a click outside it, but not by a slip of the hand: neither
 * when it holds on, nor by a click when something was typed into it or when that is the second of a
 * double click which opened it.
 */
function letGiveUp(opened: MatDialogRef<unknown, unknown>): void {
  let typed = false;
  elementOf(opened)?.addEventListener('input', () => (typed = true));
  opened.keydownEvents().subscribe((event) => {
    if (event.key !== 'Escape' || hasModifierKey(event) || preventsClose(opened)) return;
    event.preventDefault();
    opened.close(GIVEN_UP);
  });
  opened.backdropClick().subscribe(({ detail: clicks }) => {
    if (!typed && clicks < 2 && !preventsClose(opened)) opened.close(GIVEN_UP);
  });
}

function preventsClose({ componentInstance }: MatDialogRef<unknown, unknown>): boolean {
  return (componentInstance as Partial<PreventsClose> | null)?.preventsClose?.() ?? false;
}

/** Its work cannot be called back: it is waited for, so that the page hears what came of it. */
function isBusy(opened: MatDialogRef<unknown, unknown>): boolean {
  return elementOf(opened)?.querySelector(BUSY) != null;
}

function elementOf({ componentRef }: MatDialogRef<unknown, unknown>): HTMLElement | undefined {
  return componentRef?.location.nativeElement as HTMLElement | undefined;
}
