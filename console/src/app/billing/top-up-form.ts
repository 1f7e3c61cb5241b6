import { FormGroup, type ValidationErrors } from '@angular/forms';
import { OrderCreate, type OrderView } from '@weir/shared/money/orders';
import type { PublicSettings } from '@weir/shared/people/settings';
import type { ApiPort } from '../core/api/call-input';
import { compare, decimal, readDecimal } from '../core/format/decimal';
import { amount, amountOf } from '../core/forms/controls';
import { Action } from '../core/state/action';
import type { OperationKeys } from '../core/state/operation-keys';
import type { Translate } from '../core/i18n/i18n';

type Bounds = Pick<PublicSettings, 'topUpMinUsd' | 'topUpMaxUsd'>;

const CENTS = 2;

interface Words {
  readonly t: Translate;
  readonly usd: (amount: string) => string;
}

/** A top-up by card. The operator sets the least and the most; cards pay whole cents. */
export class TopUpForm {
  readonly #api: ApiPort;
  readonly #bounds: () => Bounds | undefined;
  readonly #words: Words;
  readonly #keys: OperationKeys;
  readonly action = new Action();
  readonly controls = {
    amountUsd: amount(OrderCreate.properties.amountUsd, { required: true }),
  };
  readonly group = new FormGroup(this.controls);

  constructor(api: ApiPort, keys: OperationKeys, bounds: () => Bounds | undefined, words: Words) {
    this.#api = api;
    this.#keys = keys;
    this.#bounds = bounds;
    this.#words = words;
    this.controls.amountUsd.addValidators(() => this.#withinBounds());
  }

  #withinBounds(): ValidationErrors | null {
    const value = readDecimal(amountOf(this.controls.amountUsd));
    const bounds = this.#bounds();
    if (value === undefined || bounds === undefined) return null;
    if (value.scale > CENTS) return { words: this.#words.t('rule.cents') };
    const tooLittle = compare(value, decimal(bounds.topUpMinUsd)) < 0;
    const tooMuch = compare(value, decimal(bounds.topUpMaxUsd)) > 0;
    if (!tooLittle && !tooMuch) return null;
    const { t, usd } = this.#words;
    return {
      words: t('rule.range', { min: usd(bounds.topUpMinUsd), max: usd(bounds.topUpMaxUsd) }),
    };
  }

  choose(usd: string): void {
    this.controls.amountUsd.setValue(usd);
  }

  body(): OrderCreate {
    return { kind: 'top_up', amountUsd: amountOf(this.controls.amountUsd) };
  }

  /** The order, with where to pay it. A repeat after a lost answer finds the same order. */
  async submit(): Promise<OrderView | undefined> {
    let order: OrderView | undefined;
    await this.action.run(async () => {
      const purchase = { body: this.body() };
      order = await this.#keys.act(purchase, (idempotencyKey) =>
        this.#api.call('createOrder', { ...purchase, idempotencyKey }),
      );
    });
    return order;
  }
}
