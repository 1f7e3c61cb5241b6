import { computed } from '@angular/core';
import type { PlanView } from '@weir/shared/money/plans';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';

/** What a plan gives, to compare: in any order of groups. */
function termsOf({ allowances, groups }: Pick<PlanView, 'allowances' | 'groups'>): string {
  const limits = allowances.map(({ window, limitUsd }) => `${window} ${limitUsd}`);
  return [...limits.toSorted(), ...groups.map(({ id }) => id).toSorted()].join();
}

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

  /** The plan of a subscription as it is sold now; undefined when it is not for sale. */
  planOf({ planId }: SubscriptionView): PlanView | undefined {
    return this.plans.value()?.find(({ id }) => id === planId);
  }

  /**
   * The running subscription that a purchase of the plan lengthens on its own terms, when those are
   * not what the plan shows: buyers are to see what they get.
   */
  keptTerms(plan: PlanView): SubscriptionView | undefined {
    const running = this.running()
      .filter(({ planId }) => planId === plan.id)
      .reduce<SubscriptionView | undefined>(
        (last, other) => (last === undefined || other.endsAt > last.endsAt ? other : last),
        undefined,
      );
    if (running === undefined) return undefined;
    const kept = termsOf({ allowances: running.windows, groups: running.groups });
    return kept === termsOf(plan) ? undefined : running;
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
