import { Component, inject } from '@angular/core';
import type { BudgetView } from '@weir/shared/money/budgets';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { DialogWork } from '../../design/resource/resource-dialog';
import { BudgetForm } from './budget-form';

/** Changes the budgets of the account, a team or a member. */
@Component({
  selector: 'weir-budget-dialog',
  imports: [FORM_DIALOG],
  template: `
    <weir-form-dialog
      [heading]="t('budgets.editTitle', { name: dialog.data.name })"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="dialog.action"
      (accepted)="save()"
    >
      <weir-field
        prefix="$"
        [optional]="true"
        [control]="form.controls.dayUsd"
        [label]="t('keys.budgetDay')"
      />
      <weir-field
        prefix="$"
        [optional]="true"
        [control]="form.controls.monthUsd"
        [label]="t('keys.budgetMonth')"
      />
      <weir-field
        prefix="$"
        [optional]="true"
        [control]="form.controls.totalUsd"
        [label]="t('keys.budgetTotal')"
        [hint]="t('budgets.hint')"
      />
    </weir-form-dialog>
  `,
})
export class BudgetDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<BudgetView, BudgetView>();
  protected readonly form = new BudgetForm(this.dialog.data);

  protected save(): Promise<void> {
    const params = { budgetScope: this.dialog.data.scope };
    const body = this.form.body();
    return this.dialog.run(() => this.#api.call('updateBudget', { params, body }));
  }
}
