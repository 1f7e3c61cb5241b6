import { Component, computed, effect, inject, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { TrafficPoint, TrafficTotal, TrafficView } from '@weir/shared/operations';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { BarChart } from '../../design/chart/bar-chart';
import { FailureNote } from '../../design/feedback/failure-note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Pills } from '../../design/field/pills';
import { Page } from '../../design/page/page';
import { StatTile } from '../../design/page/stat-tile';
import { Money } from '../../design/text/money';
import { DIMENSIONS, OPERATION_RANGES, OperationsState } from './operations-state';
import { firstByteBars, secondsOf, trafficBars } from './traffic-bars';

const MS_PER_SECOND = 1_000;

/** What operators look at over hours to months; drawn from sums in PostgreSQL alone. */
@Component({
  selector: 'weir-operations',
  imports: [BarChart, FailureNote, Money, Page, Pills, RouterLink, Skeleton, StatTile],
  templateUrl: './operations.html',
  styles: `
    .chart {
      display: grid;
      align-content: start;
      gap: var(--weir-gap-3);
    }

    .chart,
    .chart > *,
    .narrow {
      min-width: 0;
    }

    .narrow {
      overflow-wrap: anywhere;
    }
  `,
})
export class Operations {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new OperationsState(inject(Api));
  protected readonly total = computed(() => this.state.whole.value()?.total);
  protected readonly ranges = computed(() =>
    OPERATION_RANGES.map((value) => ({ value, label: this.t(`operations.range.${value}`) })),
  );
  protected readonly dimensions = computed(() =>
    DIMENSIONS.map((value) => ({ value, label: this.t(`operations.by.${value}`) })),
  );
  /** Seconds of the period. */
  readonly #seconds = computed(() => {
    const view = this.state.whole.value();
    if (view === undefined) return 1;
    const toMs = Math.min(Date.parse(view.to), Date.now());
    return Math.max(1, (toMs - Date.parse(view.from)) / MS_PER_SECOND);
  });
  protected readonly rate = computed(() => this.#perSecond(this.total()?.requests ?? 0));
  protected readonly tokenRate = computed(() => this.#perSecond(this.total()?.outputTokens ?? 0));
  protected readonly errorShare = computed(() => {
    const { requests = 0, failed = 0 } = this.total() ?? {};
    return this.formatter.percent(requests === 0 ? 0 : failed / requests);
  });

  protected readonly requestBars = computed(() =>
    this.#bars(this.state.parts.value(), ({ requests }) => requests),
  );
  protected readonly spendBars = computed(() =>
    this.#bars(this.state.parts.value(), ({ costUsd }) => Number(costUsd)),
  );
  protected readonly tokenBars = computed(() => {
    const view = this.state.parts.value();
    const seconds = secondsOf(view?.step ?? 'hour');
    return this.#bars(view, ({ outputTokens }) => outputTokens / seconds);
  });
  protected readonly errorBars = computed(() =>
    this.#bars(this.state.codes.value(), ({ requests }) => requests, true),
  );
  protected readonly firstByteBars = computed(() => {
    const view = this.state.whole.value();
    const names = { p50: this.t('operations.p50'), p95: this.t('operations.p95') };
    return view === undefined ? undefined : firstByteBars(view, names, this.#slotOf(view));
  });

  protected readonly asCount = (value: number): string => this.formatter.compact(value);
  protected readonly asRate = (value: number): string =>
    this.formatter.compact(Math.round(value * 10) / 10);
  protected readonly asDuration = (value: number): string => this.formatter.duration(value);
  // Drawn figures: nine decimals are more than any axis shows.
  protected readonly asMoney = (value: number): string =>
    this.formatter.usd(value.toFixed(9).replace(/\.?0+$/, ''));
  protected readonly asMoneyStep = (value: number, decimals: number): string =>
    this.formatter.axisUsd(value, decimals);

  constructor() {
    void this.state.overview.load();
    effect(() => {
      this.state.range();
      untracked(() => this.state.loadPeriod());
    });
    effect(() => {
      this.state.range();
      this.state.by();
      untracked(() => void this.state.parts.load());
    });
  }

  protected retry(): void {
    this.state.loadPeriod();
    void this.state.parts.load();
  }

  protected durationOf(ms: number | null | undefined): string {
    return ms == null ? '–' : this.formatter.duration(ms);
  }

  /** Where a part has its own page. */
  protected linkOf({ of }: TrafficTotal): string[] | null {
    if (of === null) return null;
    if (this.state.by() === 'account') return ['/admin/accounts', of];
    return this.state.by() === 'channel' ? ['/admin/channels', of] : null;
  }

  #perSecond(count: number): string {
    const rate = count / this.#seconds();
    return this.formatter.compact(rate < 10 ? Math.round(rate * 100) / 100 : Math.round(rate));
  }

  #bars(view: TrafficView | undefined, value: (point: TrafficPoint) => number, namedOnly = false) {
    if (view === undefined) return undefined;
    const names = { others: this.t('chart.others'), all: this.t('chart.all') };
    return trafficBars(view, { value, names, showSlot: this.#slotOf(view), namedOnly });
  }

  /** 08:00 within a day, Mar 4, 08:00 within a week, Mar 4 beyond. */
  #slotOf({ step }: TrafficView): (slot: string) => string {
    return (slot) => {
      const day = this.formatter.utcDay(slot.slice(0, 10));
      if (step === 'day') return day;
      const hour = slot.slice(11, 16);
      return this.state.range() === 'day' ? hour : `${day} ${hour}`;
    };
  }
}
