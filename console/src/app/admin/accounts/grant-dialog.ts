import { Component, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { Loadable } from '../../core/state/loadable';
import { OperationKeys } from '../../core/state/operation-keys';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Toasts } from '../../design/feedback/toasts';
import { Choice } from '../../design/field/choice';
import { Field } from '../../design/field/field';
import { AccountField } from './account-field';
import { GrantForm } from './account-forms';

export interface GrantDialogData {
  /** Given when the account is known already. */
  readonly accountId?: string;
}

@Component({
  selector: 'weir-grant-dialog',
  imports: [AccountField, Choice, Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('accounts.grantTitle')"
      [save]="t('accounts.grant')"
      [group]="form.group"
      [action]="action"
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
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  readonly #dialog = inject<MatDialogRef<GrantDialog, boolean>>(MatDialogRef);
  protected readonly plans = new Loadable(async () =>
    (await this.#api.call('listPlans')).data.map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly t = inject(I18n).t;
  protected readonly form = new GrantForm(inject<GrantDialogData>(MAT_DIALOG_DATA).accountId);
  protected readonly action = new Action();

  constructor() {
    void this.plans.load();
  }

  protected async grant(): Promise<void> {
    await this.action.run(async () => {
      const grant = { body: this.form.body() };
      const { before } = await this.#keys.act(grant, (idempotencyKey) =>
        this.#api.callOnce('grantSubscription', { ...grant, idempotencyKey }),
      );
      if (before) this.#toasts.warnDoneBefore();
      this.#dialog.close(true);
    });
  }
}
