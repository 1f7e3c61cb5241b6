import { Component, computed, inject, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { FormControl } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { I18n } from '../../core/i18n/i18n';
import { OperationKeys } from '../../core/state/operation-keys';
import { FailureNote } from '../feedback/failure-note';
import { Skeleton } from '../feedback/skeleton';
import { Toasts } from '../feedback/toasts';
import { Choice } from '../field/choice';
import { Field } from '../field/field';
import { Form } from '../field/form';
import type { BulkChange } from './bulk-change';
import { BulkReport } from './bulk-report';
import { BulkWork } from './bulk-work';

/** Asks what to change, shows the effect, makes the change, and offers to undo it if it can. */
@Component({
  selector: 'weir-bulk-dialog',
  imports: [BulkReport, Choice, FailureNote, Field, Form, MatButton, MatDialogModule, Skeleton],
  templateUrl: './bulk-dialog.html',
  styles: `
    .destructive:not(:disabled) {
      --mat-button-filled-container-color: var(--weir-bad);
      --mat-button-filled-label-text-color: var(--weir-surface);
    }
  `,
})
export class BulkDialog {
  readonly #dialog = inject<MatDialogRef<BulkDialog, BulkChangeReport>>(MatDialogRef);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly about = inject<BulkChange>(MAT_DIALOG_DATA);
  protected readonly work = new BulkWork(this.about, inject(OperationKeys));
  protected readonly form = viewChild(Form);
  protected readonly typed = new FormControl('', { nonNullable: true });
  readonly #typedText = toSignal(this.typed.valueChanges, { initialValue: '' });

  protected readonly allowed = computed(() => {
    const { typed } = this.about;
    return this.work.canApply() && (typed === undefined || this.#typedText().trim() === typed);
  });

  constructor() {
    if (this.about.form === undefined) void this.work.preview();
  }

  protected async apply(): Promise<void> {
    if (!this.allowed() || !(await this.work.apply())) return;
    const count = this.work.report()?.changed ?? 0;
    this.#toasts.info(this.t('bulk.changed', { count }));
    if (this.about.undo === undefined) this.close();
  }

  protected async undo(): Promise<void> {
    if (!(await this.work.undo())) return;
    this.#toasts.info(this.t('bulk.undone'));
    this.close();
  }

  protected close(): void {
    this.#dialog.close(this.work.report());
  }
}
