import { computed } from '@angular/core';
import type { PlanView } from '@weir/shared/plans';
import type { SubscriptionView } from '@weir/shared/subscriptions';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';

/** Plans for sale and those the account has. */
export class PlansState {
  readonly #api: ApiPort;
  readonly plans: Loadable<readonly PlanView[]>;
  readonly subscriptions: Loadable<readonly SubscriptionView[]>;

  readonly running = computed(
    () => this.subscriptions.value()?.filter(({ status }) => status === 'active') ?? [],
  );
  readonly past = computed(
    () => this.subscriptions.value()?.filter(({ status }) => status !== 'active') ?? [],
  );

  constructor(api: ApiPort) {
    this.#api = api;
    this.plans = new Loadable(async () => (await api.call('listPlansForSale')).data);
    this.subscriptions = new Loadable(
      async () => (await api.call('listOwnSubscriptions', { query: { limit: 50 } })).data,
    );
  }

  load(): void {
    void this.plans.load();
    void this.subscriptions.load();
  }

  isRunning(plan: PlanView): boolean {
    return this.running().some(({ planId }) => planId === plan.id);
  }

  /** Cancels at the end of the period, or takes that back. */
  async setRenews(subscription: SubscriptionView, renews: boolean): Promise<void> {
    const updated = await this.#api.call('updateOwnSubscription', {
      params: { subscriptionId: subscription.id },
      body: { renews },
    });
    const others = this.subscriptions.value() ?? [];
    this.subscriptions.set(others.map((other) => (other.id === updated.id ? updated : other)));
  }
}
