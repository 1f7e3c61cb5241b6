import { Component, inject, input } from '@angular/core';
import { I18n } from '../../../core/i18n/i18n';
import { Field } from '../../../design/field/field';
import type { TokenControls } from './price-form';

/** The fields of what tokens cost, of an ordinary prompt or of a long one, for a grid of fields. */
@Component({
  selector: 'weir-token-price-fields',
  imports: [Field],
  template: `
    <weir-field
      prefix="$"
      inputmode="decimal"
      [control]="controls().inputUsd"
      [label]="t('models.input')"
    />
    <weir-field
      prefix="$"
      inputmode="decimal"
      [control]="controls().outputUsd"
      [label]="t('models.output')"
    />
    <weir-field
      prefix="$"
      inputmode="decimal"
      [optional]="true"
      [control]="controls().cachedInputUsd"
      [label]="t('models.cachedInput')"
      [hint]="t('prices.likeInput')"
    />
    <weir-field
      prefix="$"
      inputmode="decimal"
      [optional]="true"
      [control]="controls().cacheWriteUsd"
      [label]="t('models.cacheWrite')"
      [hint]="t('prices.likeInput')"
    />
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class TokenPriceFields {
  protected readonly t = inject(I18n).t;
  readonly controls = input.required<TokenControls>();
}
