import { hasModifierKey } from '@angular/cdk/keycodes';
import type { ComponentType } from '@angular/cdk/portal';
import type { Injector } from '@angular/core';
import { type MatDialog, type MatDialogRef, MatDialogState } from '@angular/material/dialog';
import { lastValueFrom } from 'rxjs';
import type { Confirmation } from './confirm-dialog';

/** A dialog that shows what is shown once: a key, recovery codes. */
export interface HoldsOn {
  /** While it does, or is about to, nothing closes it but its own buttons. */
  holdsOn(): boolean;
}

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
    // A menu that led here must close first: the focus is given back to where it is now, and an entry of a menu
    // that is gone cannot take it.
    await new Promise((resolve) => setTimeout(resolve));
    if (this.#isOpen(component)) return undefined;
    const opened = this.#dialog.open<unknown, Data, Result | ''>(component, {
      data: options.data,
      panelClass: options.wide === true ? 'weir-dialog-wide' : 'weir-dialog',
      autoFocus: 'first-tabbable',
      restoreFocus: true,
      disableClose: true,
      ...(options.injector === undefined ? {} : { injector: options.injector }),
    });
    letGiveUp(opened);
    const result = await lastValueFrom(opened.afterClosed(), { defaultValue: undefined });
    // What `mat-dialog-close` without a value answers: whoever gives a dialog up has not given a result.
    return result === '' ? undefined : result;
  }

  /** Whoever clicks twice wants one dialog, not another below it. */
  #isOpen(component: ComponentType<unknown>): boolean {
    return this.#dialog.openDialogs.some(
      (opened) =>
        opened.componentInstance instanceof component && opened.getState() === MatDialogState.OPEN,
    );
  }

  /** True when it was confirmed and done. */
  async confirm(about: Confirmation): Promise<boolean> {
    const { ConfirmDialog } = await import('./confirm-dialog');
    return (await this.open<Confirmation, boolean>(ConfirmDialog, { data: about })) ?? false;
  }
}

/**
 * Closes a dialog with Escape, and with a click beside it, but not by a slip of the hand: neither when it holds on, nor
 * by a click when something was typed into it or when that is the second of a double click which opened it.
 */
function letGiveUp(opened: MatDialogRef<unknown>): void {
  let typed = false;
  const content = opened.componentRef?.location.nativeElement as HTMLElement | undefined;
  content?.addEventListener('input', () => (typed = true));
  opened.keydownEvents().subscribe((event) => {
    if (event.key !== 'Escape' || hasModifierKey(event) || holdsOn(opened)) return;
    event.preventDefault();
    opened.close();
  });
  opened.backdropClick().subscribe(({ detail: clicks }) => {
    if (!typed && clicks < 2 && !holdsOn(opened)) opened.close();
  });
}

function holdsOn({ componentInstance }: MatDialogRef<unknown>): boolean {
  return (componentInstance as Partial<HoldsOn> | null)?.holdsOn?.() ?? false;
}
