import { signal } from '@angular/core';
import type { OrderView } from '@weir/shared/money/orders';
import type { PlanView } from '@weir/shared/money/plans';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import type { Failure } from '../../core/api/api-failure';
import type { ApiPort } from '../../core/api/call-input';
import type { Formatter } from '../../core/format/formatter';
import { flag } from '../../core/forms/controls';
import type { Translate } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import type { OperationKeys } from '../../core/state/operation-keys';

export type PayWith = 'balance' | 'card';

export type Bought =
  | { readonly kind: 'running'; readonly subscription: SubscriptionView }
  /** By an earlier try whose answer was lost: nothing was paid again. */
  | { readonly kind: 'bought_before'; readonly subscription: SubscriptionView }
  | { readonly kind: 'to_pay'; readonly order: OrderView };

/**
 * Words for a refused purchase where the code's own are about requests; none where they will do.
 */
export function refusalWords(
  failure: Failure,
  plan: PlanView,
  { t, formatter }: { readonly t: Translate; readonly formatter: Formatter },
): string {
  if (failure.code !== 'insufficient_balance') return '';
  return t('plans.notEnough', { plan: plan.name, price: formatter.exactUsd(plan.priceUsd) });
}

/** Buying a plan: from the balance at once, or by card at the payment service. */
export class BuyPlan {
  readonly #api: ApiPort;
  readonly #keys: OperationKeys;
  readonly plan: PlanView;
  readonly action = new Action();
  readonly payWith = signal<PayWith>('balance');
  readonly renews = flag(true);

  constructor(api: ApiPort, keys: OperationKeys, plan: PlanView) {
    this.#api = api;
    this.#keys = keys;
    this.plan = plan;
  }

  async submit(): Promise<Bought | undefined> {
    let bought: Bought | undefined;
    await this.action.run(async () => {
      bought = this.payWith() === 'card' ? await this.#order() : await this.#buy();
    });
    return bought;
  }

  async #buy(): Promise<Bought> {
    const purchase = { body: { planId: this.plan.id, renews: this.renews.value } };
    const { value, before } = await this.#keys.act(purchase, (idempotencyKey) =>
      this.#api.callOnce('buySubscription', { ...purchase, idempotencyKey }),
    );
    return { kind: before ? 'bought_before' : 'running', subscription: value };
  }

  async #order(): Promise<Bought> {
    const purchase = { body: { kind: 'plan', planId: this.plan.id } } as const;
    const order = await this.#keys.act(purchase, (idempotencyKey) =>
      this.#api.call('createOrder', { ...purchase, idempotencyKey }),
    );
    return { kind: 'to_pay', order };
  }
}
