import { Component, computed, inject } from '@angular/core';
import { MatDialogRef } from '@angular/material/dialog';
import { USER_ROLES } from '@weir/shared/users';
import type { AccountView } from '@weir/shared/accounts';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { AccountCreateForm } from './account-forms';

@Component({
  selector: 'weir-account-create-dialog',
  imports: [Choice, Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.createTitle')"
      [save]="t('accounts.create')"
      [group]="form.group"
      [action]="action"
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
  readonly #dialog = inject<MatDialogRef<AccountCreateDialog, AccountView>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly form = new AccountCreateForm();
  protected readonly action = new Action();
  protected readonly roles = computed(() =>
    USER_ROLES.map((value) => ({ value, label: this.t(`role.${value}`) })),
  );

  protected async create(): Promise<void> {
    await this.action.run(async () => {
      this.#dialog.close(await this.#api.call('createAccount', { body: this.form.body() }));
    });
  }
}
