import { Component, DestroyRef, effect, inject, input, untracked } from '@angular/core';
import type { InvoiceView } from '@weir/shared/money/invoices';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { Loadable } from '../core/state/loadable';
import { PAGE_PARTS } from '../design/page/page-parts';
import { ORDER_WORDS } from './credit-words';
import { INVOICE_WORDS } from './invoice-words';

/** A payment is reported by the payment service, usually within seconds. */
const LOOK_AGAIN_MS = 2_500;

/** One order: where people come back to from the payment service. */
@Component({
  selector: 'weir-order',
  imports: [PAGE_PARTS],
  template: `
    <weir-page [heading]="t('order.title')">
      <weir-back-link pageBack to="/billing/orders" [label]="t('billing.orders')" />
      @if (order.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="order.load()" />
      }
      <section class="card stack">
        @if (order.value(); as shown) {
          @if (shown.status === 'pending') {
            <weir-note>{{ t('order.pendingHint') }}</weir-note>
          } @else if (shown.status === 'paid') {
            <weir-note tone="good">{{ t('order.paidHint') }}</weir-note>
          } @else if (shown.status === 'disputed') {
            <weir-note tone="warn">{{ t('order.disputedHint') }}</weir-note>
          }
          <dl class="facts">
            <dt>{{ t('order.what') }}</dt>
            <dd>{{ shown.planName ?? t('order.topUp') }}</dd>
            <dt>{{ t('order.status') }}</dt>
            <dd>
              <weir-chip [tone]="words[shown.status].tone">{{
                t(words[shown.status].key)
              }}</weir-chip>
            </dd>
            <dt>{{ t('order.amount') }}</dt>
            <dd><weir-money [usd]="shown.amountUsd" /></dd>
            @if (shown.refundedUsd !== '0') {
              <dt>{{ t('order.refundedAmount') }}</dt>
              <dd><weir-money [usd]="shown.refundedUsd" /></dd>
            }
            @if (shown.chargedBackUsd !== '0') {
              <dt>{{ t('order.chargedBackAmount') }}</dt>
              <dd><weir-money [usd]="shown.chargedBackUsd" /></dd>
            }
            <dt>{{ t('order.time') }}</dt>
            <dd><weir-time [at]="shown.createdAt" as="second" /></dd>
            @if (shown.paidAt; as at) {
              <dt>{{ t('order.paidAt') }}</dt>
              <dd><weir-time [at]="at" as="second" /></dd>
            }
          </dl>
          @for (invoice of invoices.value(); track invoice.id) {
            <div>
              <a matButton="outlined" download data-testid="invoice" [href]="addressOf(invoice)">
                <weir-icon matButtonIcon name="download" />{{ t(invoiceWords[invoice.kind]) }}
                {{ invoice.number }}
              </a>
            </div>
          }
          @if (shown.status === 'pending' && shown.checkoutUrl) {
            <div>
              <a matButton="filled" [href]="shown.checkoutUrl">{{ t('order.payNow') }}</a>
            </div>
          }
        } @else if (order.waiting()) {
          <weir-skeleton height="9rem" />
        }
      </section>
    </weir-page>
  `,
})
export class Order {
  readonly #api = inject(Api);
  readonly #account = inject(OwnAccount);
  protected readonly t = inject(I18n).t;
  protected readonly words = ORDER_WORDS;
  protected readonly invoiceWords = INVOICE_WORDS;

  /** Route parameter. */
  readonly orderId = input.required<string>();

  protected readonly order = new Loadable(() =>
    this.#api.call('getOwnOrder', { params: { orderId: this.orderId() } }),
  );

  /** Invoice and credit notes, once it is paid. */
  protected readonly invoices = new Loadable(
    async () =>
      (await this.#api.call('listOwnInvoices', { query: { orderId: this.orderId() } })).data,
  );

  constructor() {
    effect(() => {
      this.orderId();
      untracked(() => void this.order.load());
    });
    effect(() => {
      const isPaid = (this.order.value()?.paidAt ?? null) !== null;
      if (isPaid) untracked(() => void this.invoices.load());
    });
    effect(() => {
      if (this.order.value()?.status === 'paid') untracked(() => void this.#account.load());
    });
    const timer = setInterval(() => {
      if (this.order.value()?.status === 'pending') void this.order.loadWhenIdle();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  protected addressOf({ id }: InvoiceView): string {
    return this.#api.addressOf('printOwnInvoice', { params: { invoiceId: id } });
  }
}
