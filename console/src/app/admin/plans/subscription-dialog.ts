import { Component, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { SubscriptionView } from '@weir/shared/subscriptions';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Field } from '../../design/field/field';
import { Switch } from '../../design/field/switch';
import { SubscriptionForm } from './subscription-form';

@Component({
  selector: 'weir-subscription-dialog',
  imports: [Field, FormDialog, Switch],
  template: `
    <weir-form-dialog
      [heading]="t('subscriptions.editTitle', { plan: subscription.planName })"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="action"
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
  readonly #dialog = inject<MatDialogRef<SubscriptionDialog, SubscriptionView>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  readonly #seen = inject<Tagged<SubscriptionView>>(MAT_DIALOG_DATA);
  protected readonly subscription = this.#seen.value;
  protected readonly form = new SubscriptionForm(this.subscription);
  protected readonly action = new Action();

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      const updated = await this.#api.call('updateSubscription', {
        params: { subscriptionId: this.subscription.id },
        ifMatch: this.#seen.etag,
        body: this.form.body(),
      });
      this.#dialog.close(updated);
    });
  }
}
