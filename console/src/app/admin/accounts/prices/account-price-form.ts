import { FormGroup } from '@angular/forms';
import { ModelCreate } from '@weir/shared/catalog/models';
import type { AccountPriceCreate, AccountPriceEnd } from '@weir/shared/prices/account-prices';
import { chosen } from '../../../core/forms/controls';
import { PriceForm } from '../../models/prices/price-form';

type Present = ConstructorParameters<typeof PriceForm>[0];

/** A model and what it costs others. */
export interface PricedModel {
  readonly modelId: string;
  readonly publicId: string;
  /** The prices that the form begins with; null if there are none. */
  readonly prices: Present;
}

/** The choice of the model, before its prices are known. */
export class ModelChoiceForm {
  /** A public ID. */
  readonly model = chosen(ModelCreate.properties.publicId, { required: true });
  readonly group = new FormGroup({ model: this.model });
}

/** The price of one account for one model, from now or from a future time on. */
export class AccountPriceForm extends PriceForm {
  readonly #modelId: string;

  constructor({ modelId, prices }: Pick<PricedModel, 'modelId' | 'prices'>) {
    super(prices);
    this.#modelId = modelId;
  }

  createBody(): AccountPriceCreate {
    return { modelId: this.#modelId, ...this.body() };
  }

  /** The end of the price in force, at the time that the form has. */
  endBody(): AccountPriceEnd {
    const { effectiveFrom } = this.body();
    return effectiveFrom === undefined ? {} : { effectiveFrom };
  }
}
