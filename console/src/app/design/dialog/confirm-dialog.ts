import { Component, computed, inject, signal } from '@angular/core';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { MatFormFieldModule } from '@angular/material/form-field';
import { MatInputModule } from '@angular/material/input';
import { Action } from '../../core/state/action';
import { I18n } from '../../core/i18n/i18n';
import { FailureNote } from '../feedback/failure-note';

/** An act to be confirmed. */
export interface Confirmation {
  readonly heading: string;
  readonly text: string;
  readonly action: string;
  /** Has to be typed before the act is possible: for what cannot be undone. */
  readonly name?: string;
  readonly destructive?: boolean;
  readonly work: () => Promise<unknown>;
}

/**
 * Asks before something that cannot be undone, does it, and stays open to say why when it fails.
 */
@Component({
  selector: 'weir-confirm-dialog',
  imports: [
    FailureNote,
    MatButton,
    MatDialogModule,
    MatFormFieldModule,
    MatInputModule,
    ReactiveFormsModule,
  ],
  template: `
    <h2 mat-dialog-title>{{ about.heading }}</h2>
    <mat-dialog-content class="stack" [attr.aria-busy]="action.busy()">
      <p>{{ about.text }}</p>
      @if (about.name; as name) {
        <div>
          <label class="label" [for]="inputId">{{ t('confirm.typeName', { name }) }}</label>
          <mat-form-field appearance="outline" subscriptSizing="dynamic">
            <input
              matInput
              class="mono"
              autocomplete="off"
              spellcheck="false"
              [id]="inputId"
              [formControl]="typed"
              (keydown.enter)="act()"
            />
          </mat-form-field>
        </div>
      }
      @if (action.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
      <button
        matButton="filled"
        type="button"
        data-testid="confirm"
        [class.destructive]="about.destructive"
        [disabled]="!allowed()"
        (click)="act()"
      >
        {{ about.action }}
      </button>
    </mat-dialog-actions>
  `,
  styles: `
    .label {
      display: block;
      margin-bottom: var(--weir-gap-1);
      font-weight: 550;
      font-size: 0.875rem;
    }

    .destructive:not(:disabled) {
      --mat-button-filled-container-color: var(--weir-bad);
      --mat-button-filled-label-text-color: var(--weir-surface);
    }
  `,
})
export class ConfirmDialog {
  readonly #dialog = inject<MatDialogRef<ConfirmDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly about = inject<Confirmation>(MAT_DIALOG_DATA);
  protected readonly action = new Action();
  protected readonly inputId = 'weir-confirm-name';
  protected readonly typed = new FormControl('', { nonNullable: true });
  readonly #typedValue = toSignal(this.typed.valueChanges, { initialValue: '' });
  readonly #done = signal(false);

  protected readonly allowed = computed(() => {
    const { name } = this.about;
    const named = name === undefined || this.#typedValue().trim() === name.trim();
    return named && !this.action.busy() && !this.#done();
  });

  protected async act(): Promise<void> {
    if (!this.allowed()) return;
    if (!(await this.action.run(this.about.work))) return;
    this.#done.set(true);
    this.#dialog.close(true);
  }
}
