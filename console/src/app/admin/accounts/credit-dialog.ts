import { Component, computed, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { AccountView } from '@weir/shared/accounts';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { OperationKeys } from '../../core/state/operation-keys';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Toasts } from '../../design/feedback/toasts';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { CreditForm } from './account-forms';

@Component({
  selector: 'weir-credit-dialog',
  imports: [Choice, Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.creditTitle', { account: account.name })"
      [save]="t('accounts.creditSave')"
      [group]="form.group"
      [action]="action"
      (accepted)="give()"
    >
      <weir-field
        prefix="$"
        inputmode="text"
        [control]="form.controls.amountUsd"
        [label]="t('billing.amount')"
        [hint]="t('accounts.creditHint')"
      />
      <weir-choice [control]="form.controls.kind" [label]="t('credit.kind')" [options]="kinds()" />
      <weir-field
        [control]="form.controls.reason"
        [label]="t('accounts.reason')"
        [hint]="t('accounts.reasonHint')"
      />
    </weir-form-dialog>
  `,
})
export class CreditDialog {
  readonly #api = inject(Api);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  readonly #dialog = inject<MatDialogRef<CreditDialog, boolean>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly account = inject<AccountView>(MAT_DIALOG_DATA);
  protected readonly form = new CreditForm();
  protected readonly action = new Action();
  protected readonly kinds = computed(() => [
    { value: 'adjustment', label: this.t('credit.adjustment') },
    { value: 'top_up', label: this.t('credit.topUp') },
    { value: 'refund', label: this.t('credit.refund') },
  ]);

  protected async give(): Promise<void> {
    await this.action.run(async () => {
      const credit = { params: { accountId: this.account.id }, body: this.form.body() };
      const { before } = await this.#keys.act(credit, (idempotencyKey) =>
        this.#api.callOnce('createCredit', { ...credit, idempotencyKey }),
      );
      if (before) this.#toasts.warnDoneBefore();
      this.#dialog.close(true);
    });
  }
}
