import { Component, inject } from '@angular/core';
import type { AccountView } from '@weir/shared/people/accounts';
import { USER_ROLES } from '@weir/shared/people/users';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { AccountCreateForm } from './account-forms';

@Component({
  selector: 'weir-account-create-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.createTitle')"
      [save]="t('accounts.create')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="create()"
    >
      <p class="soft">{{ t('accounts.createHint') }}</p>
      <weir-field [control]="form.controls.name" [label]="t('account.name')" />
      <weir-field type="email" [control]="form.controls.email" [label]="t('login.email')" />
      <weir-choice [control]="form.controls.role" [label]="t('account.role')" [options]="roles()" />
    </weir-form-dialog>
  `,
})
export class AccountCreateDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<null, AccountView>();
  protected readonly form = new AccountCreateForm();
  protected readonly roles = optionsOf(USER_ROLES, (role) => `role.${role}`);

  protected create(): Promise<void> {
    const body = this.form.body();
    return this.dialog.run(() => this.#api.call('createAccount', { body }));
  }
}
