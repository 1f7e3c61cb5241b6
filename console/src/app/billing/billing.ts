import { DOCUMENT } from '@angular/common';
import { Component, computed, effect, inject, input } from '@angular/core';
import { Router } from '@angular/router';
import { Api } from '../core/api/api';
import { compare, decimal, ZERO } from '../core/format/decimal';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { filteredList } from '../core/state/filtered-list';
import { OwnAccount } from '../core/session/own-account';
import { Site } from '../core/session/site';
import { OperationKeys } from '../core/state/operation-keys';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { Column } from '../design/table/column';
import { BILLING_LINKS } from './billing-links';
import { CreditHelp } from './credit-help';
import { CREDIT_WORDS } from './credit-words';
import { RedeemForm } from './redeem-form';
import { TopUpForm } from './top-up-form';

const COLUMNS: readonly Column[] = [
  { id: 'time', header: 'credit.time', width: '13rem', narrow: 'detail' },
  { id: 'kind', header: 'credit.kind', width: '1.2fr', narrow: 'title' },
  { id: 'reason', header: 'credit.reason', width: '2fr', narrow: 'note' },
  { id: 'amount', header: 'credit.amount', width: '8rem', align: 'end', narrow: 'value' },
];

@Component({
  selector: 'weir-billing',
  imports: [CreditHelp, Field, Form, TABLE_PAGE],
  templateUrl: './billing.html',
  styles: `
    .balance {
      font-size: 2.25rem;
      line-height: 2.75rem;
      font-weight: 680;
      letter-spacing: -0.03em;
    }

    weir-form + .redeem {
      margin-top: var(--weir-gap-4);
    }

    .presets {
      display: flex;
      flex-wrap: wrap;
      gap: var(--weir-gap-2);
    }

    .code {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: var(--weir-gap-3);
      align-items: start;
    }

    .code button {
      margin-top: 1.6rem;
      min-height: 2.5rem;
    }

    @media (width < 600px) {
      .code {
        grid-template-columns: 1fr;
      }

      .code button {
        margin-top: 0;
      }
    }
  `,
})
export class Billing {
  readonly #api = inject(Api);
  readonly #formatter = inject(Formatter);
  readonly #location = inject(DOCUMENT).location;
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly account = inject(OwnAccount);
  protected readonly links = BILLING_LINKS;
  protected readonly creditWords = CREDIT_WORDS;

  /** Query parameter: the order someone comes back from the payment service for. */
  readonly order = input<string>();

  protected readonly redeemForm = new RedeemForm(this.#api);
  protected readonly topUp = new TopUpForm(
    this.#api,
    inject(OperationKeys),
    () => this.site.settings(),
    { t: this.t, usd: (amount) => this.#formatter.usd(amount) },
  );
  protected readonly credits = filteredList(
    () => ({}),
    (query) => this.#api.call('listOwnCredits', { query }),
    ({ sequence }) => sequence,
  );
  protected readonly columns = COLUMNS;

  /** The operator has something to say about it, or there is nothing left. */
  protected readonly helps = computed(() => {
    const available = this.account.value()?.balance?.availableUsd;
    const isEmpty = available !== undefined && compare(decimal(available), ZERO) <= 0;
    return isEmpty || (this.site.settings()?.creditHelp ?? '').trim() !== '';
  });

  constructor() {
    void this.account.load();
    effect(() => {
      const orderId = this.order();
      if (orderId === undefined) return;
      void this.#router.navigate(['/billing/orders', orderId], { replaceUrl: true });
    });
  }

  protected usd(amount: string): string {
    return this.#formatter.usd(amount);
  }

  protected async redeem(): Promise<void> {
    if (!(await this.redeemForm.submit())) return;
    await Promise.all([this.account.load(), this.credits.load()]);
  }

  protected async pay(): Promise<void> {
    const order = await this.topUp.submit();
    // The card is typed in at the payment service, never here.
    if (order?.checkoutUrl != null) this.#location.assign(order.checkoutUrl);
  }
}
