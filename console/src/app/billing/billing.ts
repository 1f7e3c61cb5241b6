import { DOCUMENT } from '@angular/common';
import { Component, computed, effect, inject, input } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router } from '@angular/router';
import type { CreditView } from '@weir/shared/credits';
import { Api } from '../core/api/api';
import { compare, decimal, ZERO } from '../core/format/decimal';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { Site } from '../core/session/site';
import { OperationKeys } from '../core/state/operation-keys';
import { RowList } from '../core/state/row-list';
import { EmptyState } from '../design/feedback/empty-state';
import { FailureNote } from '../design/feedback/failure-note';
import { Note } from '../design/feedback/note';
import { Skeleton } from '../design/feedback/skeleton';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { Page } from '../design/page/page';
import { SubNav } from '../design/page/sub-nav';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { DataTable } from '../design/table/data-table';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';
import { billingLinks } from './billing-links';
import { CreditHelp } from './credit-help';
import { CREDIT_WORDS } from './credit-words';
import { RedeemForm } from './redeem-form';
import { TopUpForm } from './top-up-form';

@Component({
  selector: 'weir-billing',
  imports: [
    Cell,
    CreditHelp,
    DataTable,
    EmptyState,
    FailureNote,
    Field,
    Form,
    MatButton,
    Money,
    Note,
    Page,
    Skeleton,
    SubNav,
    Time,
  ],
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
  protected readonly links = billingLinks();
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
  protected readonly credits = new RowList<CreditView>((cursor) =>
    this.#api.call('listOwnCredits', { query: cursor === undefined ? {} : { cursor } }),
  );
  protected readonly idOf = ({ sequence }: CreditView): number => sequence;
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'time', header: this.t('credit.time'), width: '11rem', narrow: 'detail' },
    { id: 'kind', header: this.t('credit.kind'), width: '1.2fr', narrow: 'title' },
    { id: 'reason', header: this.t('credit.reason'), width: '2fr', narrow: 'note' },
    {
      id: 'amount',
      header: this.t('credit.amount'),
      width: '8rem',
      align: 'end',
      narrow: 'value',
    },
  ]);

  /** The operator has something to say about it, or there is nothing left. */
  protected readonly helps = computed(() => {
    const available = this.account.value()?.balance?.availableUsd;
    const isEmpty = available !== undefined && compare(decimal(available), ZERO) <= 0;
    return isEmpty || (this.site.settings()?.creditHelp ?? '').trim() !== '';
  });

  constructor() {
    void this.account.load();
    void this.credits.load();
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
