import { signal } from '@angular/core';
import type { AccountingView } from '@weir/shared/money/accounting';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';

/** The month before `2026-01`. */
export function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}

/** The sums of one month; the server knows which month it is in the time zone of accounting. */
export class AccountingState {
  readonly #api: ApiPort;
  /** `2026-01`; empty: this month. */
  readonly month = signal('');
  /** This month, once it is known. */
  readonly present = signal<string | undefined>(undefined);
  readonly view: Loadable<AccountingView>;

  constructor(api: ApiPort) {
    this.#api = api;
    this.view = new Loadable(async () => {
      const query = this.#query();
      const view = await api.call('getAccounting', { query });
      if (query.month === undefined) this.present.set(view.month);
      return view;
    });
  }

  /** The months to choose from: this one, the one before, and one that an address named. */
  choices(): string[] {
    const present = this.present();
    const chosen = this.month();
    const usual = present === undefined ? [] : ['', monthBefore(present)];
    return chosen === '' || usual.includes(chosen) ? usual : [...usual, chosen];
  }

  exportAddress(): string {
    return this.#api.addressOf('exportAccounting', { query: this.#query() });
  }

  #query(): { readonly month?: string } {
    const month = this.month();
    return month === '' ? {} : { month };
  }
}
