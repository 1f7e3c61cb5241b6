import { Component, effect, inject, signal } from '@angular/core';
import type { InvoiceView } from '@weir/shared/money/invoices';
import { Api } from '../core/api/api';
import { failureOf, type Failure } from '../core/api/api-failure';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { filteredList } from '../core/state/filtered-list';
import { Toasts } from '../design/feedback/toasts';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { TextArea } from '../design/field/text-area';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { Column } from '../design/table/column';
import { BillingDetailsForm } from './billing-details-form';
import { BILLING_LINKS } from './billing-links';
import { INVOICE_WORDS } from './invoice-words';

const COLUMNS: readonly Column[] = [
  { id: 'number', header: 'invoices.number', width: '1.5fr', narrow: 'title' },
  { id: 'kind', header: 'credit.kind', width: '1fr', narrow: 'note' },
  { id: 'time', header: 'invoices.issued', width: '11rem', narrow: 'detail' },
  { id: 'amount', header: 'order.amount', width: '7rem', align: 'end', narrow: 'value' },
];

/** Invoices of the account, and what it is called on them. */
@Component({
  selector: 'weir-invoices',
  imports: [Field, Form, TABLE_PAGE, TextArea],
  template: `
    <weir-page [heading]="t('billing.title')" [intro]="t('invoices.intro')">
      <weir-sub-nav [label]="t('billing.title')" [links]="links" />
      <weir-data-table [label]="t('invoices.title')" [list]="list" [columns]="columns">
        <ng-template weirCell="number" [weirCellRows]="list.rows()" let-invoice>
          <a class="row-link" download [href]="addressOf(invoice)">{{ invoice.number }}</a>
        </ng-template>
        <ng-template weirCell="kind" [weirCellRows]="list.rows()" let-invoice>
          {{ t(words[invoice.kind]) }}
        </ng-template>
        <ng-template weirCell="time" [weirCellRows]="list.rows()" let-invoice>
          <weir-time [at]="invoice.issuedAt" as="moment" />
        </ng-template>
        <ng-template weirCell="amount" [weirCellRows]="list.rows()" let-invoice>
          <weir-money
            [usd]="invoice.kind === 'invoice' ? invoice.grossUsd : '-' + invoice.grossUsd"
          />
        </ng-template>
        <weir-empty-state
          icon="orders"
          [heading]="t('invoices.none')"
          [hint]="t('invoices.noneHint')"
        />
      </weir-data-table>
      <div class="grid-wide">
        <section class="card stack">
          <h2>{{ t('invoices.details') }}</h2>
          <p class="soft">{{ t('invoices.detailsHint') }}</p>
          @if (failure(); as failure) {
            <weir-failure-note [failure]="failure" [retryable]="true" (retry)="load()" />
          } @else if (form(); as form) {
            <weir-form
              [group]="form.group"
              [action]="form.action"
              [label]="t('invoices.details')"
              (accepted)="save(form)"
            >
              <weir-field
                [control]="form.controls.name"
                [label]="t('invoices.name')"
                [hint]="t('invoices.nameHint')"
              />
              <weir-text-area [control]="form.controls.address" [label]="t('invoices.address')" />
              <weir-field [control]="form.controls.taxId" [label]="t('invoices.taxId')" />
              @if (session.may('updateBillingDetails')) {
                <div formActions>
                  <button
                    matButton="filled"
                    type="submit"
                    data-testid="save-details"
                    [disabled]="form.action.busy()"
                  >
                    {{ t('action.save') }}
                  </button>
                </div>
              }
            </weir-form>
          } @else {
            <weir-skeleton height="15rem" />
          }
        </section>
      </div>
    </weir-page>
  `,
})
export class Invoices {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = BILLING_LINKS;
  protected readonly words = INVOICE_WORDS;
  protected readonly list = filteredList(
    () => ({}),
    (query) => this.#api.call('listOwnInvoices', { query }),
  );
  protected readonly columns = COLUMNS;
  protected readonly form = signal<BillingDetailsForm | undefined>(undefined);
  protected readonly failure = signal<Failure | undefined>(undefined);

  constructor() {
    void this.load();
    // Who may only read the details cannot type into them either.
    effect(() => {
      if (!this.session.may('updateBillingDetails')) this.form()?.group.disable();
    });
  }

  protected async load(): Promise<void> {
    try {
      const details = await this.#api.call('getBillingDetails');
      this.form.set(new BillingDetailsForm(this.#api, details));
      this.failure.set(undefined);
    } catch (thrown) {
      this.failure.set(failureOf(thrown));
    }
  }

  protected async save(form: BillingDetailsForm): Promise<void> {
    if (await form.submit()) this.#toasts.info(this.t('invoices.detailsSaved'));
  }

  protected addressOf({ id }: InvoiceView): string {
    return this.#api.addressOf('printOwnInvoice', { params: { invoiceId: id } });
  }
}
