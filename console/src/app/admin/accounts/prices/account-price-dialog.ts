import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { Api } from '../../../core/api/api';
import { I18n } from '../../../core/i18n/i18n';
import { Loadable } from '../../../core/state/loadable';
import { FORM_DIALOG } from '../../../design/dialog/form-parts';
import { FailureNote } from '../../../design/feedback/failure-note';
import { DialogWork } from '../../../design/resource/resource-dialog';
import { PriceFields } from '../../models/prices/price-fields';
import { AccountPriceForm, ModelChoiceForm, type PricedModel } from './account-price-form';

export interface AccountPriceData {
  readonly accountId: string;
  /** Absent where its page says it. */
  readonly accountName?: string;
  /** Absent for a model that is still to be chosen. */
  readonly model?: PricedModel;
  /** The account has a price for it, which can be ended. */
  readonly canEnd?: boolean;
}

/** Sets what an account pays for one model, or ends its price. */
@Component({
  selector: 'weir-account-price-dialog',
  imports: [FailureNote, FORM_DIALOG, MatButton, PriceFields],
  template: `
    <weir-form-dialog
      [heading]="heading()"
      [save]="t('prices.set')"
      [group]="group()"
      [action]="dialog.action"
      (accepted)="set()"
    >
      @if (!data.model) {
        <weir-choice
          [control]="choice.model"
          [label]="t('models.model')"
          [options]="models"
          [hint]="t('accountPrices.modelHint')"
        />
      }
      @if (found.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
      }
      @if (form(); as form) {
        <weir-price-fields [form]="form" [dated]="true" />
        @if (data.canEnd) {
          <p>
            <button
              matButton
              type="button"
              data-testid="end-price"
              [disabled]="dialog.action.busy()"
              (click)="end()"
            >
              {{ t('accountPrices.end') }}
            </button>
            <span class="small soft">{{ t('accountPrices.endHint') }}</span>
          </p>
        }
      }
    </weir-form-dialog>
  `,
})
export class AccountPriceDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<AccountPriceData>();
  protected readonly data = this.dialog.data;
  protected readonly choice = new ModelChoiceForm();
  protected readonly models = new Loadable(async () =>
    (await this.#api.call('listModelNames')).data.map(({ publicId: id }) => ({
      value: id,
      label: id,
    })),
  );
  readonly #chosen = toSignal(this.choice.model.valueChanges, { initialValue: '' });
  /** The chosen model, at the price of all. */
  protected readonly found = new Loadable(() => this.#find(this.#chosen()));
  /** Made outside of a computed signal: the form writes signals of its own. */
  protected readonly form = signal(this.data.model && new AccountPriceForm(this.data.model));
  protected readonly group = computed(() => this.form()?.group ?? this.choice.group);
  protected readonly heading = computed(() => {
    const { model, accountName: account = '' } = this.data;
    return model === undefined
      ? this.t('accountPrices.addTitle')
      : this.t('accountPrices.dialogTitle', { model: model.publicId, account });
  });

  constructor() {
    if (this.data.model !== undefined) return;
    void this.models.load();
    effect(() => {
      if (this.#chosen() === '') return;
      untracked(() => void this.found.load());
    });
    effect(() => {
      const found = this.found.value();
      if (found === undefined) return;
      untracked(() => this.form.set(new AccountPriceForm(found)));
    });
  }

  async #find(publicId: string): Promise<PricedModel | undefined> {
    const { data } = await this.#api.call('listModels', {
      query: { search: publicId, limit: 200 },
    });
    const model = data.find((one) => one.publicId === publicId);
    return model && { modelId: model.id, publicId, prices: model.price };
  }

  protected set(): Promise<void> {
    return this.dialog.run(async () => {
      const form = this.form();
      // Until a model is chosen there is nothing to send.
      if (form === undefined) return undefined;
      const params = { accountId: this.data.accountId };
      await this.#api.call('createAccountPrice', { params, body: form.createBody() });
      return true;
    });
  }

  protected end(): Promise<void> {
    return this.dialog.run(async () => {
      const { accountId, model } = this.data;
      const body = this.form()?.endBody();
      if (model === undefined || body === undefined) return undefined;
      const params = { accountId, modelId: model.modelId };
      await this.#api.call('endAccountPrice', { params, body });
      return true;
    });
  }
}
