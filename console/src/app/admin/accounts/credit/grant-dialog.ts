import { Component, inject } from '@angular/core';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { fetchOptions } from '../../../core/i18n/options';
import { FORM_DIALOG } from '../../../design/dialog/form-parts';
import { DialogWork } from '../../../design/resource/resource-dialog';
import { AccountField } from '../finder/account-field';
import { GrantForm } from '../account-forms';

export interface GrantDialogData {
  /** Given when the account is known already. */
  readonly accountId?: string;
}

@Component({
  selector: 'weir-grant-dialog',
  imports: [AccountField, FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.grantTitle')"
      [save]="t('accounts.grant')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="grant()"
    >
      @if (!form.forOneAccount) {
        <weir-account-field [control]="form.controls.accountId" [label]="t('accounts.account')" />
      }
      <weir-choice
        [control]="form.controls.planId"
        [label]="t('accounts.plan')"
        [options]="plans"
      />
      <weir-field
        inputmode="numeric"
        [optional]="true"
        [control]="form.controls.days"
        [label]="t('accounts.days')"
        [hint]="t('accounts.daysHint')"
      />
      <weir-field [control]="form.controls.reason" [label]="t('accounts.reason')" />
    </weir-form-dialog>
  `,
})
export class GrantDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<GrantDialogData>();
  protected readonly form = new GrantForm(this.dialog.data.accountId);
  protected readonly plans = fetchOptions(() => this.#api.call('listPlans'));

  protected grant(): Promise<void> {
    const grant = { body: this.form.body() };
    return this.dialog.act(
      grant,
      (idempotencyKey) => this.#api.callOnce('grantSubscription', { ...grant, idempotencyKey }),
      () => true,
    );
  }
}
