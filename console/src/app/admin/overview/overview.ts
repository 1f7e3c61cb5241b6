import { DOCUMENT } from '@angular/common';
import { Component, computed, DestroyRef, inject } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { NO_TRENDS } from '../../trends/no-trends';
import { TrendTile } from '../../trends/trend-tile';
import { TrendTiles } from '../../trends/trend-tiles';
import { balanceText } from '../channels/costs/balance-text';
import { NEEDS_MAX, needsOf } from './needs';
import { OverviewState, THREAD_WORDS } from './overview-state';

const LOOK_AGAIN_MS = 5_000;

/** A day in eight figures, and what a person has to see to. */
@Component({
  selector: 'weir-overview',
  imports: [PAGE_PARTS, TrendTile],
  templateUrl: './overview.html',
  styles: `
    .need {
      display: flex;
      align-items: flex-start;
      gap: var(--weir-gap-2);
      min-width: 0;
      overflow-wrap: anywhere;
    }

    .need weir-icon {
      flex: none;
      width: 1.125rem;
      height: 1.125rem;
      margin-top: 0.125rem;
    }
  `,
})
export class OverviewPage {
  readonly #document = inject(DOCUMENT);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new OverviewState(inject(Api));
  readonly #tiles = new TrendTiles(this.formatter);
  protected readonly tiles = computed(() => {
    const trends = this.state.value()?.trends ?? NO_TRENDS;
    // Supporters see no margin, from the first skeleton on.
    return this.#tiles.ofEverything(
      this.#session.may('getMargins') ? trends : { ...trends, marginPercent: null },
    );
  });
  readonly #needs = computed(() => {
    const overview = this.state.value();
    if (overview === undefined) return [];
    return needsOf(overview, { amount: (balance, currency) => this.#amount(balance, currency) });
  });
  protected readonly shownNeeds = computed(() => this.#needs().slice(0, NEEDS_MAX));
  protected readonly moreNeeds = computed(() => Math.max(0, this.#needs().length - NEEDS_MAX));

  constructor() {
    void this.state.load();
    const timer = setInterval(() => {
      if (this.#document.visibilityState === 'visible') void this.state.loadWhenIdle();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  protected threadState(state: string): string {
    const words = THREAD_WORDS.get(state);
    return words === undefined ? state : this.t(words);
  }

  protected duration(ms: number | null | undefined): string {
    return ms == null ? '–' : this.formatter.duration(ms);
  }

  #amount(balance: string, currency: 'USD' | 'CNY'): string {
    return balanceText(this.formatter, { balance, currency }) ?? balance;
  }
}
