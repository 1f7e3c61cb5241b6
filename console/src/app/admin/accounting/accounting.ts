import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Pills } from '../../design/field/pills';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { StatTile } from '../../design/page/stat-tile';
import { ACCOUNTING_LINKS } from './accounting-links';
import { AccountingState } from './accounting-state';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** A month's sums per customer, as accountants need them. */
@Component({
  selector: 'weir-accounting',
  imports: [PAGE_PARTS, Pills, StatTile],
  templateUrl: './accounting.html',
})
export class Accounting {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly links = ACCOUNTING_LINKS;
  protected readonly state = new AccountingState(inject(Api));
  /** Query parameter: the month to begin with, as in mails. */
  readonly month = input<string>();
  protected readonly view = this.state.view.value;
  protected readonly total = computed(() => this.view()?.total);
  protected readonly rows = computed(() => this.view()?.data ?? []);
  protected readonly exportAddress = computed(() => this.state.exportAddress());
  protected readonly months = computed(() =>
    this.state.choices().map((value) => ({ value, label: this.#nameOf(value) })),
  );
  /** Customers whose sums are in the total and the file alone. */
  protected readonly hidden = computed(() => (this.view()?.customers ?? 0) - this.rows().length);

  constructor() {
    effect(() => {
      const asked = this.month() ?? '';
      if (MONTH.test(asked)) this.state.month.set(asked);
    });
    effect(() => {
      this.state.month();
      untracked(() => void this.state.view.load());
    });
  }

  #nameOf(value: string): string {
    if (value !== '') return this.formatter.utcMonth(value);
    return this.formatter.utcMonth(this.state.present() ?? '');
  }
}
