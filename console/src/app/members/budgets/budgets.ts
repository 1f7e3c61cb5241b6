import { Component, computed, inject, signal } from '@angular/core';
import type { BudgetList, BudgetView } from '@weir/shared/money/budgets';
import { Api } from '../../core/api/api';
import { keyIn } from '../../core/i18n/options';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { SearchBox } from '../../design/field/search-box';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { Meter } from '../../design/text/meter';
import { BudgetDialog } from './budget-dialog';
import { memberLinks } from '../member-links';
import { TimeZoneDialog } from '../time-zone-dialog';

/** An account of thousands of members is searched, not scrolled. */
const SHOWN_MAX = 100;

const PERIODS = ['day', 'month', 'total'] as const;

/** The spend of the account, its teams and members, and the budgets that hold it. */
@Component({
  selector: 'weir-budgets',
  imports: [PAGE_PARTS, Meter, SearchBox],
  templateUrl: './budgets.html',
  styleUrl: './budgets.scss',
})
export class BudgetsPage {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly links = memberLinks();
  protected readonly kindKey = keyIn('budgetKind');
  protected readonly periodKey = keyIn('budgetPeriod');
  protected readonly search = signal('');
  protected readonly budgets = new Loadable(() => this.#api.call('listBudgets'));
  readonly #found = computed(() => {
    const words = this.search().trim().toLowerCase();
    const all = this.budgets.value()?.data ?? [];
    return words === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(words));
  });
  protected readonly shown = computed(() => this.#found().slice(0, SHOWN_MAX));
  protected readonly hiddenCount = computed(() => this.#found().length - this.shown().length);

  constructor() {
    void this.budgets.load();
  }

  protected manages(): boolean {
    return this.#session.permits('members.manage');
  }

  protected mayChooseZone(): boolean {
    return this.#session.permits('account.manage');
  }

  protected periodsOf(budget: BudgetView) {
    return PERIODS.map((period) => {
      const limitUsd = budget[`${period}Usd`];
      const spentUsd = budget.spend?.[`${period}Usd`] ?? null;
      const limit = Number(limitUsd ?? 0);
      const share = limit === 0 ? 1 : Math.min(1, Number(spentUsd ?? 0) / limit);
      return { period, limitUsd, spentUsd, share };
    });
  }

  protected async edit(budget: BudgetView): Promise<void> {
    const changed = await this.#dialogs.open<BudgetView, BudgetView>(BudgetDialog, {
      data: budget,
    });
    const list = this.budgets.value();
    if (changed === undefined || list === undefined) return;
    const data = list.data.map((one) => (one.scope === changed.scope ? changed : one));
    this.budgets.set({ ...list, data });
  }

  protected async chooseZone(list: BudgetList): Promise<void> {
    const changed = await this.#dialogs.open<BudgetList, BudgetList>(TimeZoneDialog, {
      data: list,
    });
    if (changed !== undefined) this.budgets.set(changed);
  }
}
