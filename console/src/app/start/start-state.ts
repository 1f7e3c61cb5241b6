import { computed, signal } from '@angular/core';
import type { KeyView } from '@weir/shared/people/keys';
import type { PricingModel } from '@weir/shared/prices/prices';
import type { ApiPort } from '../core/api/call-input';
import { compare, decimal, ZERO } from '../core/format/decimal';
import { Loadable } from '../core/state/loadable';
import { usableModels } from '../models/preset-model';

export type StepName = 'money' | 'key' | 'request';
export type StepState = 'done' | 'now' | 'later';

interface Progress {
  readonly money: boolean;
  readonly key: boolean;
  readonly request: boolean;
}

const STEPS: readonly StepName[] = ['money', 'key', 'request'];

/**
 * A newcomer's three things to do, and their progress. Everything is read from the API, nothing is
 * remembered.
 */
export class StartState {
  readonly progress: Loadable<Progress>;
  /** The newest key, and the models it can use; all models before there is a key. */
  readonly firstKey = signal<KeyView | undefined>(undefined);
  readonly models = computed((): readonly PricingModel[] => {
    const key = this.firstKey();
    const models = this.#catalog.value()?.models ?? [];
    return key === undefined ? models : usableModels(models, key);
  });
  readonly hasPlans = computed(() => this.#catalog.value()?.hasPlans === true);
  /** Read once: progress is asked for every few seconds, and this is big. */
  readonly #catalog: Loadable<{
    readonly models: readonly PricingModel[];
    readonly hasPlans: boolean;
  }>;

  readonly done = computed(() => {
    const progress = this.progress.value();
    return progress === undefined ? 0 : STEPS.filter((step) => progress[step]).length;
  });

  constructor(api: ApiPort) {
    this.#catalog = new Loadable(async () => {
      const [pricing, plans] = await Promise.all([
        api.call('getPricing'),
        api.call('listPlansForSale'),
      ]);
      return { models: pricing.models, hasPlans: plans.data.length > 0 };
    });
    this.progress = new Loadable(async () => {
      if (this.#catalog.value() === undefined) void this.#catalog.loadWhenIdle();
      const [account, subscriptions, keys, usage] = await Promise.all([
        api.call('getOwnAccount'),
        api.call('listOwnSubscriptions', { query: { status: 'active', limit: 1 } }),
        api.call('listKeys', { query: { status: 'active', limit: 1 } }),
        api.call('listOwnUsageRecords', { query: { limit: 1 } }),
      ]);
      const [key] = keys.data;
      this.firstKey.set(key);
      const funds = account.balance?.availableUsd ?? '0';
      return {
        money: compare(decimal(funds), ZERO) > 0 || subscriptions.data.length > 0,
        key: key !== undefined,
        request: usage.data.length > 0,
      };
    });
  }

  /** Each step by itself: done, the one to do now, or one for later. */
  stateOf(step: StepName): StepState {
    const progress = this.progress.value();
    if (progress?.[step] === true) return 'done';
    const next = STEPS.find((name) => progress?.[name] !== true);
    return next === step ? 'now' : 'later';
  }
}
