import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import type { TrafficPoint, TrafficView } from '@weir/shared/watch/operations';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { BarChart, type PickedBar } from '../../design/chart/bar-chart';
import { FailureNote } from '../../design/feedback/failure-note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Pills } from '../../design/field/pills';
import { Page } from '../../design/page/page';
import { StatTile } from '../../design/page/stat-tile';
import { LiveBar } from '../../design/table/live-bar';
import { Money } from '../../design/text/money';
import { DIMENSIONS, OPERATION_RANGES, OperationsState, PARAMETERS } from './operations-state';
import { PartsTable } from './parts-table';
import { firstByteBars, secondsOf, trafficBars, type DrawnTraffic } from './traffic-bars';
import { trafficParts } from './traffic-parts';

const MS_PER_SECOND = 1_000;

/** Shows the traffic of hours to months, from sums in PostgreSQL alone. */
@Component({
  selector: 'weir-operations',
  imports: [
    BarChart,
    FailureNote,
    LiveBar,
    Money,
    Page,
    PartsTable,
    Pills,
    RouterLink,
    Skeleton,
    StatTile,
  ],
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
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly state = new OperationsState(inject(Api));
  protected readonly total = computed(() => this.state.codes.value()?.total);
  protected readonly ranges = computed(() =>
    OPERATION_RANGES.map((value) => ({ value, label: this.t(`operations.range.${value}`) })),
  );
  protected readonly dimensions = computed(() =>
    DIMENSIONS.map((value) => ({ value, label: this.t(`operations.by.${value}`) })),
  );
  /** Seconds of the period. */
  readonly #seconds = computed(() => {
    const view = this.state.codes.value();
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

  /** Every part, channels also without a request. */
  protected readonly allParts = computed(() => {
    const view = this.state.parts.value();
    if (view === undefined) return undefined;
    const by = this.state.by();
    const known = by === 'channel' ? (this.state.channels.value() ?? []) : [];
    return trafficParts(view.totals, { by, total: view.total, known });
  });
  /** The range of the list of requests that is nearest to the period. */
  protected readonly listRange = computed(() => {
    const range = this.state.range();
    return range === 'day' || range === 'week' ? range : 'all';
  });
  protected readonly live = {
    newer: signal(0),
    loading: computed(() => this.state.codes.loading() || this.state.parts.loading()),
    peek: () => this.state.loadWhenIdle(),
    load: () => this.state.load(),
    showNewer: (): void => undefined,
  };

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
    const view = this.state.codes.value();
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
      untracked(() => void this.state.codes.load());
    });
    effect(() => {
      this.state.range();
      const isByChannel = this.state.by() === 'channel';
      untracked(() => {
        if (isByChannel) void this.state.channels.load();
        void this.state.parts.load();
      });
    });
  }

  protected retry(): void {
    void this.state.load();
  }

  protected durationOf(ms: number | null | undefined): string {
    return ms == null ? '–' : this.formatter.duration(ms);
  }

  /** A bar leads to the requests behind it. */
  protected showPart(bars: DrawnTraffic, { category, series }: PickedBar): void {
    const name = PARAMETERS[this.state.by()];
    const of = bars.parts[series] ?? null;
    this.#showRequests(bars, category, name === undefined || of === null ? {} : { [name]: of });
  }

  protected showCode(bars: DrawnTraffic, { category, series }: PickedBar): void {
    const code = bars.parts[series] ?? null;
    this.#showRequests(bars, category, code === null ? { outcome: 'failed' } : { code });
  }

  #showRequests(
    { slots, stepMs }: DrawnTraffic,
    category: number,
    query: Readonly<Record<string, string>>,
  ): void {
    const from = slots[category];
    if (from === undefined) return;
    const to = new Date(Date.parse(from) + stepMs).toISOString();
    void this.#router.navigate(['/admin/requests'], { queryParams: { ...query, from, to } });
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
