import { Component, inject, signal, viewChild } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import type { ModelView } from '@weir/shared/catalog/models';
import type { PriceView } from '@weir/shared/prices/prices';
import { Api } from '../../../core/api/api';
import { Formatter } from '../../../core/format/formatter';
import { Edits } from '../../../core/forms/edits';
import { I18n } from '../../../core/i18n/i18n';
import { Action } from '../../../core/state/action';
import { Loadable } from '../../../core/state/loadable';
import { FailureNote } from '../../../design/feedback/failure-note';
import { Skeleton } from '../../../design/feedback/skeleton';
import { Form } from '../../../design/field/form';
import { Chip, type Tone } from '../../../design/text/chip';
import { Time } from '../../../design/text/time';
import { LongPrice } from '../../../models/long-price';
import { TierFactors } from '../../../models/tier-factors';
import { PriceFields } from './price-fields';
import { PriceForm } from './price-form';

const STATE_TONES: Readonly<Record<PriceView['state'], Tone>> = {
  past: 'plain',
  in_force: 'good',
  future: 'brand',
};

/** A model's prices: what was, what is, what comes; and setting the next one. */
@Component({
  selector: 'weir-prices-dialog',
  imports: [
    Chip,
    FailureNote,
    Form,
    LongPrice,
    MatButton,
    MatDialogModule,
    PriceFields,
    Skeleton,
    TierFactors,
    Time,
  ],
  templateUrl: './prices-dialog.html',
})
export class PricesDialog {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly model = inject<ModelView>(MAT_DIALOG_DATA);
  protected readonly fields = viewChild(Form);
  protected readonly form = new PriceForm(this.model.price);
  protected readonly action = new Action();
  protected readonly removal = new Action();
  protected readonly tones = STATE_TONES;
  protected readonly prices = new Loadable(
    async () => (await this.#api.call('listPrices', { params: { modelId: this.model.id } })).data,
  );

  readonly #edits = new Edits(() => this.form.group.getRawValue());
  /** The prices in the form have been set: there is nothing to set until one is changed. */
  protected readonly isSet = signal(false);

  constructor() {
    this.form.group.valueChanges
      .pipe(takeUntilDestroyed())
      .subscribe(() => this.isSet.update((isSet) => isSet && !this.#edits.any()));
    void this.prices.load();
  }

  protected async set(): Promise<void> {
    if (this.isSet()) return;
    const sent = this.#edits.snapshot();
    const done = await this.action.run(() =>
      this.#api.call('createPrice', {
        params: { modelId: this.model.id },
        body: this.form.body(),
      }),
    );
    if (!done) return;
    // With its date: pressed again, the same price would take effect now.
    this.#edits.saved(sent);
    this.isSet.set(!this.#edits.any());
    await this.prices.load();
  }

  protected async takeBack({ effectiveFrom }: PriceView): Promise<void> {
    await this.removal.run(() =>
      this.#api.call('deletePrice', { params: { modelId: this.model.id, effectiveFrom } }),
    );
    await this.prices.load();
  }
}
