import { Component, computed, inject } from '@angular/core';
import type { PlanView } from '@weir/shared/money/plans';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import { Api } from '../../core/api/api';
import { compare, decimal, ZERO } from '../../core/format/decimal';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { OwnAccount } from '../../core/session/own-account';
import { OperationKeys } from '../../core/state/operation-keys';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { BILLING_LINKS } from '../billing-links';
import type { Bought } from './buy-plan';
import { BuyDialog, type ToBuy } from './buy-dialog';
import { CreditHelp } from '../credit-help';
import { PastPlans } from './past-plans';
import { PlanWindows } from './plan-windows';
import { PlansState } from './plans-state';

@Component({
  selector: 'weir-plans',
  imports: [CreditHelp, PastPlans, PlanWindows, PAGE_PARTS],
  templateUrl: './plans.html',
  styles: `
    .plan {
      /* One alone would be as wide as the page. */
      max-width: 26rem;
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-3);
    }

    .price {
      font-size: 1.625rem;
      font-weight: 680;
      letter-spacing: -0.02em;
    }

    .plan ul {
      flex: 1;
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-1);
      padding: 0;
      list-style: none;
    }
  `,
})
export class Plans {
  readonly #dialogs = inject(Dialogs);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  readonly #account = inject(OwnAccount);
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  protected readonly links = BILLING_LINKS;
  protected readonly state = new PlansState(inject(Api));
  protected readonly skeletons = [1, 2, 3];
  /** What is there is enough for one of the plans, or for requests where none is for sale. */
  protected readonly canPay = computed(() => {
    const available = this.#account.value()?.balance?.availableUsd;
    const plans = this.state.plans.value();
    if (available === undefined || plans === undefined) return true;
    if (plans.length === 0) return compare(decimal(available), ZERO) > 0;
    return plans.some(({ priceUsd }) => compare(decimal(priceUsd), decimal(available)) <= 0);
  });

  constructor() {
    this.state.load();
    void this.#account.load();
  }

  protected async buy(plan: PlanView): Promise<void> {
    const data = { plan, kept: this.state.keptTerms(plan) };
    const bought = await this.#dialogs.open<ToBuy, Bought>(BuyDialog, { data });
    if (bought?.kind === 'bought_before') this.#toasts.warnDoneBefore();
    else if (bought !== undefined) this.#toasts.info(this.t('plans.bought', { plan: plan.name }));
    else if (!this.#keys.hasPending()) return;
    await Promise.all([this.state.subscriptions.load(), this.#account.load()]);
  }

  protected async cancel(subscription: SubscriptionView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('plans.cancelTitle'),
      text: this.t('plans.cancelText'),
      action: this.t('plans.cancel'),
      destructive: true,
      work: () => this.state.setRenews(subscription, false),
    });
  }

  protected async resume(subscription: SubscriptionView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('plans.resumeTitle', { plan: subscription.planName }),
      text: this.#renewalWords(subscription),
      action: this.t('plans.resume'),
      work: () => this.state.setRenews(subscription, true),
    });
  }

  /** Money will be taken from the balance: when, and how much. */
  #renewalWords(subscription: SubscriptionView): string {
    const day = this.#formatter.day(subscription.endsAt);
    const plan = this.state.planOf(subscription);
    if (plan === undefined) return this.t('plans.resumeUnsold', { day });
    const price = this.#formatter.usd(plan.priceUsd);
    const days = this.t('plans.days', { count: plan.periodDays });
    return this.t('plans.resumeText', { day, price, days });
  }
}
