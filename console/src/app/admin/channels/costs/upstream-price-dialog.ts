import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type {
  UpstreamPricesUpdate,
  UpstreamPricesView,
  UpstreamPriceView,
} from '@weir/shared/prices/upstream-prices';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { Action } from '../../../core/state/action';
import { FormDialog } from '../../../design/dialog/form-dialog';
import { PriceFields } from '../../models/prices/price-fields';
import { UpstreamPriceForm } from './cost-forms';

export interface UpstreamPriceData {
  readonly channelId: string;
  readonly model: UpstreamPriceView;
}

/** Sets what one model costs at a channel's upstream. */
@Component({
  selector: 'weir-upstream-price-dialog',
  imports: [FormDialog, MatButton, PriceFields],
  template: `
    <weir-form-dialog
      [heading]="t('costs.dialogTitle', { model: data.model.publicId })"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="action"
      (accepted)="send(form.updateBody())"
    >
      <weir-price-fields [form]="form" />
      @if (data.model.source === 'own') {
        <p>
          <button
            matButton
            type="button"
            data-testid="remove-own"
            [disabled]="action.busy()"
            (click)="remove()"
          >
            {{ t('costs.remove') }}
          </button>
        </p>
      }
    </weir-form-dialog>
  `,
})
export class UpstreamPriceDialog {
  readonly #api = inject(Api);
  readonly #dialog = inject<MatDialogRef<UpstreamPriceDialog, UpstreamPricesView>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly data = inject<UpstreamPriceData>(MAT_DIALOG_DATA);
  protected readonly form = new UpstreamPriceForm(this.data.model);
  protected readonly action = new Action();

  protected remove(): Promise<void> {
    return this.send({ models: [{ model: this.data.model.publicId, prices: null }] });
  }

  protected async send(body: UpstreamPricesUpdate): Promise<void> {
    const params = { channelId: this.data.channelId };
    await this.action.run(async () => {
      this.#dialog.close(await this.#api.call('updateUpstreamPrices', { params, body }));
    });
  }
}
