import { Component, inject } from '@angular/core';
import type { AccountAdminView } from '@weir/shared/people/accounts';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { AccountEditForm } from './account-forms';
import { accountStatusOptions } from './account-words';

@Component({
  selector: 'weir-account-edit-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.editTitle')"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <weir-field [control]="form.controls.name" [label]="t('account.name')" />
      <weir-choice
        [control]="form.controls.status"
        [label]="t('keys.status')"
        [hint]="t('accounts.suspendHint')"
        [options]="statuses()"
      />
      <weir-field
        inputmode="numeric"
        [control]="form.controls.concurrencyMax"
        [label]="t('keys.concurrency')"
        [placeholder]="t('field.none')"
      />
      <weir-choice
        [control]="form.controls.subscriptionPreference"
        [label]="t('account.payFirst')"
        [options]="preferences()"
      />
      <weir-text-area
        [optional]="true"
        [control]="form.controls.note"
        [label]="t('accounts.note')"
        [hint]="t('accounts.noteHint')"
      />
    </weir-form-dialog>
  `,
})
export class AccountEditDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<Tagged<AccountAdminView>, AccountAdminView>();
  protected readonly form = new AccountEditForm(this.dialog.data.value);
  protected readonly statuses = accountStatusOptions();
  protected readonly preferences = optionsOf(['subscription_first', 'balance_first'], (first) =>
    first === 'balance_first' ? 'account.balanceFirst' : 'account.subscriptionFirst',
  );

  protected save(): Promise<void> {
    const { value, etag } = this.dialog.data;
    return this.dialog.run(() =>
      this.#api.call('updateAccount', {
        params: { accountId: value.id },
        ifMatch: etag,
        body: this.form.body(),
      }),
    );
  }
}
