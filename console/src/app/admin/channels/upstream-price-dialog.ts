import { Component, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type {
  UpstreamPricesUpdate,
  UpstreamPricesView,
  UpstreamPriceView,
} from '@weir/shared/upstream-prices';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FormDialog } from '../../design/dialog/form-dialog';
import { Field } from '../../design/field/field';
import { Switch } from '../../design/field/switch';
import { MeterPriceFields } from '../models/meter-price-fields';
import { TierFields } from '../models/tier-fields';
import { TokenPriceFields } from '../models/token-price-fields';
import { UpstreamPriceForm } from './cost-forms';

export interface UpstreamPriceData {
  readonly channelId: string;
  readonly model: UpstreamPriceView;
}

/** Sets what one model costs at a channel's upstream. */
@Component({
  selector: 'weir-upstream-price-dialog',
  imports: [Field, FormDialog, MatButton, MeterPriceFields, Switch, TierFields, TokenPriceFields],
  template: `
    <weir-form-dialog
      [heading]="t('costs.dialogTitle', { model: data.model.publicId })"
      [save]="t('action.save')"
      [group]="form.group"
      [action]="action"
      (accepted)="send(form.updateBody())"
    >
      <div class="fields">
        <weir-token-price-fields [controls]="form.controls" />
        <weir-field
          prefix="$"
          inputmode="decimal"
          [optional]="true"
          [control]="form.controls.perCallUsd"
          [label]="t('prices.perCall')"
        />
        <weir-meter-price-fields [group]="form.extra" />
        <weir-tier-fields [tiers]="form.tiers" />
        <weir-switch
          class="whole"
          [control]="form.hasLongContext"
          [label]="t('prices.longContext')"
          [hint]="t('prices.longContextHint')"
        />
      </div>
      @if (hasLongContext()) {
        <div class="fields" role="group" [attr.aria-label]="t('prices.longContext')">
          <weir-field
            inputmode="numeric"
            [control]="form.longContext.controls.aboveTokens"
            [label]="t('prices.aboveTokens')"
          />
          <weir-token-price-fields [controls]="form.longContext.controls" />
          <weir-meter-price-fields [group]="form.longContext.controls.extra" />
        </div>
      }
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
  protected readonly hasLongContext = toSignal(this.form.hasLongContext.valueChanges, {
    initialValue: this.form.hasLongContext.value,
  });
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
