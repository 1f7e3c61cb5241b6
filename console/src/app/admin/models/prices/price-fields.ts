import { Component, inject, input } from '@angular/core';
import { I18n } from '../../../core/i18n/i18n';
import { Field } from '../../../design/field/field';
import { Switch } from '../../../design/field/switch';
import { TextArea } from '../../../design/field/text-area';
import { MeterPriceFields } from './meter-price-fields';
import type { PriceForm } from './price-form';
import { TierFields } from './tier-fields';
import { TokenPriceFields } from './token-price-fields';

/** All that a model is sold for, or costs at an upstream. */
@Component({
  selector: 'weir-price-fields',
  imports: [Field, MeterPriceFields, Switch, TextArea, TierFields, TokenPriceFields],
  template: `
    <div class="fields">
      <weir-token-price-fields [controls]="form().controls" />
      <weir-field
        prefix="$"
        inputmode="decimal"
        [optional]="true"
        [control]="form().controls.perCallUsd"
        [label]="t('prices.perCall')"
      />
      @if (dated()) {
        <weir-field
          type="datetime-local"
          [optional]="true"
          [control]="form().controls.effectiveFrom"
          [label]="t('prices.from')"
          [hint]="t('prices.fromHint')"
        />
      }
      <weir-meter-price-fields [group]="form().extra">
        <weir-text-area
          placeholder="1024x1536 high 0.25"
          [mono]="true"
          [optional]="true"
          [control]="form().variants"
          [label]="t('prices.variants')"
          [hint]="t('prices.variantsHint')"
        />
        <weir-field
          inputmode="numeric"
          [optional]="true"
          [control]="form().secondsMin"
          [label]="t('prices.secondsMin')"
          [hint]="t('prices.secondsMinHint')"
        />
      </weir-meter-price-fields>
      <weir-tier-fields [tiers]="form().tiers" />
      <weir-switch
        class="whole"
        [control]="form().hasLongContext"
        [label]="t('prices.longContext')"
        [hint]="t('prices.longContextHint')"
      />
    </div>
    @if (form().asksForLongContext()) {
      <div class="fields" role="group" [attr.aria-label]="t('prices.longContext')">
        <weir-field
          inputmode="numeric"
          [control]="form().longContext.controls.aboveTokens"
          [label]="t('prices.aboveTokens')"
        />
        <weir-token-price-fields [controls]="form().longContext.controls" />
        <weir-meter-price-fields [group]="form().longContext.controls.extra" />
      </div>
    }
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class PriceFields {
  protected readonly t = inject(I18n).t;
  readonly form = input.required<PriceForm>();
  /** True if the prices may begin later than now. */
  readonly dated = input(false);
}
