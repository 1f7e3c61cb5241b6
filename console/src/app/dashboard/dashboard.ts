import { Component, computed, effect, inject, untracked } from '@angular/core';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { OwnAccount } from '../core/session/own-account';
import { PlanWindows } from '../billing/plans/plan-windows';
import { Pills } from '../design/field/pills';
import { StatTile } from '../design/page/stat-tile';
import { PAGE_PARTS } from '../design/page/page-parts';
import { FirstSteps } from '../start/first-steps';
import { NO_TRENDS } from '../trends/no-trends';
import { TrendTile } from '../trends/trend-tile';
import { TrendTiles } from '../trends/trend-tiles';
import { UsageChart } from '../usage/usage-chart';
import { balanceForecast } from './forecast';
import { PlanForecast } from './plan-forecast';
import { DashboardState, type SplitBy } from './dashboard-state';

@Component({
  selector: 'weir-dashboard',
  imports: [
    FirstSteps,
    Pills,
    PlanForecast,
    PlanWindows,
    StatTile,
    TrendTile,
    UsageChart,
    PAGE_PARTS,
  ],
  templateUrl: './dashboard.html',
})
export class Dashboard {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly account = inject(OwnAccount);
  protected readonly state = new DashboardState(inject(Api), this.formatter.today);
  readonly #tiles = new TrendTiles(this.formatter);
  /** Speed of streams is for those who run the upstreams. */
  protected readonly tiles = computed(() =>
    this.#tiles
      .ofTraffic(this.state.view.value()?.trends ?? NO_TRENDS)
      .filter(({ id }) => id !== 'tokens'),
  );
  protected readonly forecast = computed(() => {
    const view = this.state.view.value();
    const found = view === undefined ? undefined : balanceForecast(view);
    if (found === undefined) return '';
    if (found.kind === 'days') return this.t('forecast.days', { count: found.days });
    return this.t(`forecast.${found.kind}`);
  });
  protected readonly lines = [1, 2, 3, 4, 5];
  protected readonly splits = computed((): { value: SplitBy; label: string }[] => [
    { value: 'model', label: this.t('usage.byModel') },
    { value: 'key', label: this.t('usage.byKey') },
  ]);

  constructor() {
    void this.account.load();
    effect(() => {
      // Of today, too.
      this.state.range();
      untracked(() => this.state.load());
    });
    effect(() => {
      this.state.range();
      this.state.by();
      untracked(() => void this.state.days.load());
    });
  }
}
