import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { FormControl, FormGroup, type ValidationErrors } from '@angular/forms';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { ModelView } from '@weir/shared/models';
import { readDecimal } from '../../core/format/decimal';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import type { Selection } from '../../core/state/selection';
import { FormDialog } from '../../design/dialog/form-dialog';
import { RowFailures } from '../../design/feedback/row-failures';
import { Field } from '../../design/field/field';
import type { ModelsState } from './models-state';
import { factorOf, scaledPrice } from './scale-price';

export interface BulkPriceDialogData {
  readonly selection: Selection<ModelView>;
  readonly state: ModelsState;
}

/** Less would be no price, more is a slip of the hand. */
const PERCENT_MIN = -99;
const PERCENT_MAX = 1_000;

/**
 * Changes the prices of several models by a share of them: shows what each becomes before it does.
 */
@Component({
  selector: 'weir-bulk-price-dialog',
  imports: [Field, FormDialog, RowFailures],
  template: `
    <weir-form-dialog
      [heading]="t('bulk.priceTitle', { count: priced().length })"
      [save]="t('bulk.priceSave')"
      [group]="group"
      [action]="action"
      (accepted)="change()"
    >
      <weir-field
        suffix="%"
        [control]="percent"
        [label]="t('bulk.percent')"
        [hint]="t('bulk.percentHint')"
      />
      <div class="scroll-x" tabindex="0" role="region" [attr.aria-label]="t('bulk.preview')">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">{{ t('models.model') }}</th>
              <th scope="col" class="end">{{ t('models.input') }}</th>
              <th scope="col" class="end">{{ t('models.output') }}</th>
            </tr>
          </thead>
          <tbody>
            @for (row of preview(); track row.publicId) {
              <tr data-testid="preview">
                <th scope="row" class="mono wraps">{{ row.publicId }}</th>
                <td class="end numeric">{{ row.input }}</td>
                <td class="end numeric">{{ row.output }}</td>
              </tr>
            }
          </tbody>
        </table>
      </div>
      <weir-row-failures [failures]="failures()" />
    </weir-form-dialog>
  `,
})
export class BulkPriceDialog {
  readonly #about = inject<BulkPriceDialogData>(MAT_DIALOG_DATA);
  readonly #dialog = inject<MatDialogRef<BulkPriceDialog, boolean>>(MatDialogRef);
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  protected readonly action = new Action();
  protected readonly failures = this.#about.selection.failures;
  protected readonly percent = new FormControl('', {
    nonNullable: true,
    validators: ({ value }) => this.#fault(String(value)),
  });
  protected readonly group = new FormGroup({ percent: this.percent });
  readonly #typed = toSignal(this.percent.valueChanges, { initialValue: '' });

  /** A model without a price has nothing to be changed. */
  protected readonly priced = computed(() =>
    this.#about.selection.rows().filter(({ price }) => price !== null),
  );
  protected readonly preview = computed(() => {
    const percent = this.#typed();
    const factor = this.#fault(percent) === null ? factorOf(percent.trim()) : undefined;
    return this.priced().flatMap(({ publicId, price }) => {
      if (price === null) return [];
      const next = factor && scaledPrice(price, factor);
      const change = (now: string, then: string | undefined): string =>
        [now, ...(then === undefined ? [] : [then])]
          .map((usd) => this.#formatter.price(usd))
          .join(' → ');
      return [
        {
          publicId,
          input: change(price.inputUsd, next?.inputUsd),
          output: change(price.outputUsd, next?.outputUsd),
        },
      ];
    });
  });

  protected async change(): Promise<void> {
    const factor = factorOf(this.percent.value.trim());
    const { selection, state } = this.#about;
    const done = await this.action.run(() =>
      selection.forEach(async (model) => {
        if (model.price !== null) await state.setPrice(model, scaledPrice(model.price, factor));
      }),
    );
    if (done && selection.failures().length === 0) this.#dialog.close(true);
  }

  #fault(text: string): ValidationErrors | null {
    const percent = Number(readDecimal(text.trim()) === undefined ? NaN : text.trim());
    const isMeant = percent >= PERCENT_MIN && percent <= PERCENT_MAX && percent !== 0;
    return isMeant ? null : { words: this.t('bulk.percentFault') };
  }
}
