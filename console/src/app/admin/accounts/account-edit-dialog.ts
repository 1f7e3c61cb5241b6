import { Component, computed, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { AccountView } from '@weir/shared/accounts';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { AccountEditForm } from './account-forms';

@Component({
  selector: 'weir-account-edit-dialog',
  imports: [Choice, Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.editTitle')"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="action"
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
    </weir-form-dialog>
  `,
})
export class AccountEditDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<AccountEditDialog, AccountView>>(MatDialogRef);
  readonly #account = inject<Tagged<AccountView>>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new AccountEditForm(this.#account.value);
  protected readonly action = new Action();
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'suspended', label: this.t('accounts.suspended') },
  ]);
  protected readonly preferences = computed(() => [
    { value: 'subscription_first', label: this.t('account.subscriptionFirst') },
    { value: 'balance_first', label: this.t('account.balanceFirst') },
  ]);

  protected async save(): Promise<void> {
    await this.action.run(async () => {
      const updated = await this.#api.call('updateAccount', {
        params: { accountId: this.#account.value.id },
        ifMatch: this.#account.etag,
        body: this.form.body(),
      });
      this.#dialog.close(updated);
    });
  }
}
