import { Component, inject, signal } from '@angular/core';
import { INVOICE_KINDS, type InvoiceView } from '@weir/shared/money/invoices';
import { INVOICE_WORDS } from '../../billing/invoice-words';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { filteredList } from '../../core/state/filtered-list';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { AccountFilter } from '../accounts/finder/account-filter';
import { ORDER_LINKS } from './order-links';

const COLUMNS: readonly Column[] = [
  { id: 'number', header: 'invoices.number', width: '1.2fr', narrow: 'title' },
  { id: 'account', header: 'accounts.account', width: '2fr', narrow: 'note' },
  { id: 'time', header: 'invoices.issued', width: '10.5rem', narrow: 'detail' },
  { id: 'tax', header: 'invoices.tax', width: '6rem', align: 'end', wideOnly: true },
  { id: 'amount', header: 'order.amount', width: '7rem', align: 'end', narrow: 'value' },
];

/** Invoices and credit notes of everyone. */
@Component({
  selector: 'weir-admin-invoices',
  imports: [AccountFilter, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.orders')" [intro]="t('orderAdmin.invoicesIntro')">
      <weir-sub-nav [label]="t('nav.orders')" [links]="links" />
      <div class="cluster">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter [label]="t('orderAdmin.anyKind')" [options]="kinds()" [(value)]="kind" />
      </div>
      <weir-data-table [label]="t('invoices.title')" [list]="list" [columns]="columns">
        <ng-template weirCell="number" [weirCellRows]="list.rows()" let-invoice>
          <a class="row-link" download [href]="addressOf(invoice)">{{ invoice.number }}</a>
        </ng-template>
        <ng-template weirCell="account" [weirCellRows]="list.rows()" let-invoice>
          <a [routerLink]="['/admin/accounts', invoice.accountId]"
            ><weir-name [value]="invoice.customerName"
          /></a>
        </ng-template>
        <ng-template weirCell="time" [weirCellRows]="list.rows()" let-invoice>
          <weir-time [at]="invoice.issuedAt" as="recent-moment" />
        </ng-template>
        <ng-template weirCell="tax" [weirCellRows]="list.rows()" let-invoice>
          <weir-money [usd]="invoice.taxUsd" />
        </ng-template>
        <ng-template weirCell="amount" [weirCellRows]="list.rows()" let-invoice>
          <weir-money
            [usd]="invoice.kind === 'invoice' ? invoice.grossUsd : '-' + invoice.grossUsd"
          />
        </ng-template>
        <weir-empty-state
          icon="orders"
          [heading]="t('invoices.none')"
          [hint]="t('orderAdmin.noInvoicesHint')"
        />
      </weir-data-table>
    </weir-page>
  `,
})
export class AdminInvoices {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly links = ORDER_LINKS;
  protected readonly accountId = signal('');
  protected readonly kind = signal<InvoiceView['kind'] | ''>('');
  protected readonly kinds = optionsOf(INVOICE_KINDS, (kind) => INVOICE_WORDS[kind]);
  protected readonly list = filteredList(
    () => ({ kind: this.kind(), accountId: this.accountId() }),
    (query) => this.#api.call('listInvoices', { query }),
  );
  protected readonly columns = COLUMNS;

  protected addressOf({ id }: InvoiceView): string {
    return this.#api.addressOf('printInvoice', { params: { invoiceId: id } });
  }
}
