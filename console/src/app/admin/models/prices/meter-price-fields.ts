import { Component, computed, inject, input } from '@angular/core';
import { METER_IDS, METERS, UNITS, type Meter } from '@weir/shared/prices/meters';
import { I18n, type PlainKey } from '../../../core/i18n/i18n';
import { meterLabel } from '../../../core/i18n/meter-label';
import { Field } from '../../../design/field/field';
import type { MeterPricesGroup } from './meter-prices-form';

/** Returns the hint of what an empty field charges. */
function hintOf({ unit, onRequest }: Meter): PlainKey {
  if (UNITS[unit].charged === 'basis') return 'prices.insteadOfTokens';
  if (onRequest) return 'prices.refusedWithout';
  return unit === 'output_tokens' ? 'prices.likeOutput' : 'prices.likeInput';
}

/** The prices of meters, folded away: few models have any. For a grid of fields. */
@Component({
  selector: 'weir-meter-price-fields',
  imports: [Field],
  template: `
    <details>
      <summary>{{ t('prices.more') }}</summary>
      <div class="fields">
        @for (field of fields(); track field.id) {
          <weir-field
            prefix="$"
            inputmode="decimal"
            [optional]="true"
            [control]="field.control"
            [label]="field.label"
            [hint]="t(field.hint)"
          />
        }
        <ng-content />
      </div>
    </details>
  `,
  styles: `
    :host {
      display: contents;
    }

    details {
      grid-column: 1 / -1;
    }

    summary {
      padding: var(--weir-gap-1) 0 var(--weir-gap-3);
      font-weight: 600;
      cursor: pointer;
    }
  `,
})
export class MeterPriceFields {
  protected readonly t = inject(I18n).t;
  readonly group = input.required<MeterPricesGroup>();

  protected readonly fields = computed(() =>
    METER_IDS.flatMap((id) => {
      const control = this.group().controls[id];
      if (control === undefined) return [];
      const meter = METERS[id];
      return [{ id, control, label: meterLabel(this.t, id), hint: hintOf(meter) }];
    }),
  );
}
