import { FormGroup } from '@angular/forms';
import type { PriceCreate } from '@weir/shared/prices/prices';
import { UpstreamPricesUpdate, type UpstreamPriceView } from '@weir/shared/prices/upstream-prices';
import { amount, amountOrNull } from '../../../core/forms/controls';
import { PriceForm } from '../../models/prices/price-form';

/** The form of the factor on list prices; an empty field makes the cost unknown. */
export class CostFactorForm {
  readonly controls;
  readonly group;

  constructor(factor: string | null = null) {
    const { factor: rule } = UpstreamPricesUpdate.properties;
    this.controls = { factor: amount(rule, { initial: factor ?? '' }) };
    this.group = new FormGroup(this.controls);
  }

  body(): UpstreamPricesUpdate {
    return { factor: amountOrNull(this.controls.factor) };
  }
}

/** The form of a model's upstream prices: that of its selling prices without the time. */
export class UpstreamPriceForm extends PriceForm {
  readonly #model: string;

  constructor({ publicId, prices, listPrices }: UpstreamPriceView) {
    super(prices ?? listPrices);
    this.#model = publicId;
  }

  updateBody(): UpstreamPricesUpdate {
    const { effectiveFrom: _now, ...prices }: PriceCreate = this.body();
    return { models: [{ model: this.#model, prices }] };
  }
}
