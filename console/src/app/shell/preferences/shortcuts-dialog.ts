import { Component, computed, inject, type Injector } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatDialogModule } from '@angular/material/dialog';
import { MatSlideToggle } from '@angular/material/slide-toggle';
import { Router } from '@angular/router';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Dialogs } from '../../design/dialog/dialogs';
import { worldOf } from '../navigation/nav-links';
import { ShortcutChoice } from './shortcut-choice';
import { pagesByLetter } from './shortcuts';

const KEYS: readonly { readonly keys: readonly string[]; readonly key: PlainKey }[] = [
  { keys: ['Ctrl', 'K'], key: 'shortcuts.palette' },
  { keys: ['/'], key: 'shortcuts.search' },
  { keys: ['j'], key: 'shortcuts.next' },
  { keys: ['k'], key: 'shortcuts.previous' },
  { keys: ['?'], key: 'shortcuts.title' },
];

/** Lists the keys, and has a switch for those without a modifier. */
@Component({
  selector: 'weir-shortcuts-dialog',
  imports: [MatButton, MatDialogModule, MatSlideToggle],
  template: `
    <h2 mat-dialog-title>{{ t('shortcuts.title') }}</h2>
    <mat-dialog-content class="stack">
      <dl>
        @for (entry of entries(); track entry.name) {
          <div>
            <dt>{{ entry.name }}</dt>
            <dd>
              @for (key of entry.keys; track $index) {
                <kbd>{{ key }}</kbd>
              }
            </dd>
          </div>
        }
      </dl>
      <mat-slide-toggle [checked]="choice.on()" (change)="choice.choose($event.checked)">{{
        t('shortcuts.on')
      }}</mat-slide-toggle>
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton="filled" type="button" mat-dialog-close>{{ t('action.close') }}</button>
    </mat-dialog-actions>
  `,
  styles: `
    dl {
      columns: 15rem 2;
      column-gap: var(--weir-gap-6);
    }

    dl > div {
      display: flex;
      justify-content: space-between;
      gap: var(--weir-gap-3);
      padding: var(--weir-gap-1) 0;
      break-inside: avoid;
    }

    dd {
      display: flex;
      gap: var(--weir-gap-1);
    }

    kbd {
      min-width: 1.5rem;
      padding: 0 0.375rem;
      border: 1px solid var(--weir-line);
      border-radius: var(--weir-radius-s);
      background: var(--weir-sunken);
      font: inherit;
      font-size: 0.8125rem;
      text-align: center;
    }
  `,
})
export class ShortcutsDialog {
  readonly #standing = inject(Session).standing();
  readonly #world = worldOf(inject(Router).url, this.#standing);
  protected readonly t = inject(I18n).t;
  protected readonly choice = inject(ShortcutChoice);
  protected readonly entries = computed(() => [
    ...KEYS.map(({ keys, key }) => ({ keys, name: this.t(key) })),
    ...pagesByLetter(this.#world, this.#standing).map(({ letter = '', key }) => ({
      keys: ['g', letter],
      name: this.t(key),
    })),
  ]);
}

/** Loaded when it is first asked for. */
export function openShortcuts(injector: Injector): void {
  void injector.get(Dialogs).open<null, undefined>(ShortcutsDialog, { data: null, wide: true });
}
