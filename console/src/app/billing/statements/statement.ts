import { DOCUMENT } from '@angular/common';
import { Component, effect, inject, input, untracked } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Loadable } from '../../core/state/loadable';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { StatementSheet } from './statement-sheet';

@Component({
  selector: 'weir-statement',
  imports: [StatementSheet, PAGE_PARTS],
  template: `
    <weir-page [heading]="formatter.utcMonth(month())" [intro]="t('statement.utc')">
      <weir-back-link pageBack to="/billing/statements" [label]="t('billing.statements')" />
      <button pageAction matButton="outlined" type="button" (click)="print()">
        {{ t('statement.print') }}
      </button>
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
export class Statement {
  readonly #api = inject(Api);
  readonly #window = inject(DOCUMENT).defaultView;
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);

  /** Route parameter: `2026-01`. */
  readonly month = input.required<string>();

  protected readonly statement = new Loadable(() =>
    this.#api.call('getOwnStatement', { params: { month: this.month() } }),
  );

  constructor() {
    effect(() => {
      this.month();
      untracked(() => void this.statement.load());
    });
  }

  protected print(): void {
    this.#window?.print();
  }
}
