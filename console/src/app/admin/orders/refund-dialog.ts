import { Component, inject } from '@angular/core';
import type { OrderView } from '@weir/shared/money/orders';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { RefundForm } from './refund-form';

@Component({
  selector: 'weir-refund-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('orderAdmin.refundTitle')"
      [save]="t('orderAdmin.refund')"
      [group]="form.group"
      [action]="dialog.action"
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
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<OrderView, OrderView>();
  protected readonly form = new RefundForm(this.dialog.data);

  protected refund(): Promise<void> {
    const refund = { params: { orderId: this.dialog.data.id }, body: this.form.body() };
    return this.dialog.act(
      refund,
      (idempotencyKey) => this.#api.callOnce('refundOrder', { ...refund, idempotencyKey }),
      (order) => order,
    );
  }
}
