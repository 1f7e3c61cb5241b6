import { Component, inject } from '@angular/core';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { SubscriptionForm } from './subscription-form';

@Component({
  selector: 'weir-subscription-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('subscriptions.editTitle', { plan: dialog.data.value.planName })"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <weir-field
        type="datetime-local"
        [control]="form.controls.endsAt"
        [label]="t('subscriptions.endsAt')"
      />
      <weir-switch [control]="form.controls.renews" [label]="t('plans.renew')" />
    </weir-form-dialog>
  `,
})
export class SubscriptionDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<Tagged<SubscriptionView>, SubscriptionView>();
  protected readonly form = new SubscriptionForm(this.dialog.data.value);

  protected save(): Promise<void> {
    const { value, etag } = this.dialog.data;
    return this.dialog.run(() =>
      this.#api.call('updateSubscription', {
        params: { subscriptionId: value.id },
        ifMatch: etag,
        body: this.form.body(),
      }),
    );
  }
}
