import { Component, inject } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { BILLING_LINKS } from '../billing-links';

@Component({
  selector: 'weir-statements',
  imports: [PAGE_PARTS],
  template: `
    <weir-page [heading]="t('billing.title')" [intro]="t('statement.intro')">
      <weir-sub-nav [label]="t('billing.title')" [links]="links" />
      @if (months.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="months.load()" />
      }
      <div class="card card-flush rows">
        @if (months.waiting()) {
          @for (line of lines; track line) {
            <div><weir-skeleton width="60%" /></div>
          }
        }
        @for (month of months.value(); track month.month) {
          <div class="split">
            <a class="row-link" [routerLink]="['/billing/statements', month.month]">{{
              formatter.utcMonth(month.month)
            }}</a>
            <span class="small soft">
              {{ t('statement.used') }} <weir-money [usd]="month.costUsd" /> ·
              {{ t('statement.credited') }} <weir-money [usd]="month.creditsUsd" />
            </span>
          </div>
        }
        @if (months.value()?.length === 0) {
          <weir-empty-state
            icon="plans"
            [heading]="t('statement.none')"
            [hint]="t('statement.noneHint')"
          />
        }
      </div>
    </weir-page>
  `,
})
export class Statements {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly links = BILLING_LINKS;
  protected readonly lines = [1, 2, 3];
  protected readonly months = new Loadable(
    async () => (await this.#api.call('listOwnStatements')).data,
  );

  constructor() {
    void this.months.load();
  }
}
