import { Component, inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { UpstreamPricesView } from '@weir/shared/prices/upstream-prices';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { Action } from '../../../core/state/action';
import { FormDialog } from '../../../design/dialog/form-dialog';
import { Field } from '../../../design/field/field';
import { CostFactorForm } from './cost-forms';

/** Sets what list prices are multiplied by for the cost at a channel's upstream. */
@Component({
  selector: 'weir-cost-factor-dialog',
  imports: [Field, FormDialog],
  template: `
    <weir-form-dialog
      [heading]="t('costs.setFactor')"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="action"
      (accepted)="save()"
    >
      <weir-field
        prefix="×"
        inputmode="decimal"
        [optional]="true"
        [control]="form.controls.factor"
        [label]="t('costs.factor')"
        [hint]="t('costs.factorHint')"
      />
    </weir-form-dialog>
  `,
})
export class CostFactorDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<CostFactorDialog, UpstreamPricesView>>(MatDialogRef);
  readonly #data = inject<UpstreamPricesView>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly form = new CostFactorForm(this.#data.factor);
  protected readonly action = new Action();

  protected async save(): Promise<void> {
    const params = { channelId: this.#data.channelId };
    await this.action.run(async () => {
      const body = this.form.body();
      this.#dialog.close(await this.#api.call('updateUpstreamPrices', { params, body }));
    });
  }
}
