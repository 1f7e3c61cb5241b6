import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { StatementSheet } from '../../billing/statements/statement-sheet';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { nextMonth } from './credit/next-month';

/** Anyone's statement of a month, with a way to the months next to it. */
@Component({
  selector: 'weir-account-statement',
  imports: [StatementSheet, PAGE_PARTS],
  template: `
    <weir-page [heading]="formatter.utcMonth(month())" [intro]="t('statement.utc')">
      <weir-back-link
        pageBack
        [to]="'/admin/accounts/' + accountId()"
        [label]="statement.value()?.accountName ?? t('accounts.account')"
      />
      <div pageAction class="cluster">
        @for (other of months(); track other) {
          <a [routerLink]="['/admin/accounts', accountId(), 'statements', other]">{{
            formatter.utcMonth(other)
          }}</a>
        }
      </div>
      @if (statement.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="statement.load()" />
      }
      @if (statement.value(); as shown) {
        <weir-statement-sheet [statement]="shown" />
      } @else if (statement.waiting()) {
        <div class="card"><weir-skeleton height="12rem" /></div>
      }
    </weir-page>
  `,
})
export class AccountStatement {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);

  /** Route parameters. */
  readonly accountId = input.required<string>();
  readonly month = input.required<string>();

  protected readonly months = computed(() => [
    nextMonth(this.month(), -1),
    // A month that has not begun has no statement.
    ...(this.month() < this.formatter.today().slice(0, 7) ? [nextMonth(this.month(), 1)] : []),
  ]);
  protected readonly statement = new Loadable(() =>
    this.#api.call('getStatement', {
      params: { accountId: this.accountId(), month: this.month() },
    }),
  );

  constructor() {
    effect(() => {
      this.accountId();
      this.month();
      untracked(() => void this.statement.load());
    });
  }
}
