import { Component, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { OrderView } from '@weir/shared/orders';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { OperationKeys } from '../../core/state/operation-keys';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Toasts } from '../../design/feedback/toasts';
import { Field } from '../../design/field/field';
import { RefundForm } from './refund-form';

@Component({
  selector: 'weir-refund-dialog',
  imports: [Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('orderAdmin.refundTitle')"
      [save]="t('orderAdmin.refund')"
      [group]="form.group"
      [action]="action"
      (accepted)="refund()"
    >
      <p>{{ t('orderAdmin.refundText') }}</p>
      <weir-field
        prefix="$"
        inputmode="decimal"
        [control]="form.controls.amountUsd"
        [label]="t('billing.amount')"
      />
      <weir-field
        [control]="form.controls.reason"
        [label]="t('accounts.reason')"
        [hint]="t('accounts.reasonHint')"
      />
    </weir-form-dialog>
  `,
})
export class RefundDialog {
  readonly #api = inject(Api);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  readonly #dialog = inject<MatDialogRef<RefundDialog, OrderView>>(MatDialogRef);
  readonly #order = inject<OrderView>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new RefundForm(this.#order);
  protected readonly action = new Action();

  protected async refund(): Promise<void> {
    await this.action.run(async () => {
      const refund = { params: { orderId: this.#order.id }, body: this.form.body() };
      const { value, before } = await this.#keys.act(refund, (idempotencyKey) =>
        this.#api.callOnce('refundOrder', { ...refund, idempotencyKey }),
      );
      if (before) this.#toasts.warnDoneBefore();
      this.#dialog.close(value);
    });
  }
}
