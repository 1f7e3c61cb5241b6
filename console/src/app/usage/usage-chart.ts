import { Component, computed, inject, input, model } from '@angular/core';
import type { UsageDayView } from '@weir/shared/watch/usage';
import { Formatter } from '../core/format/formatter';
import { I18n, optionsOf } from '../core/i18n/i18n';
import type { Loadable } from '../core/state/loadable';
import { BarChart } from '../design/chart/bar-chart';
import { FailureNote } from '../design/feedback/failure-note';
import { Skeleton } from '../design/feedback/skeleton';
import { Pills } from '../design/field/pills';
import { Money } from '../design/text/money';
import {
  daysBetween,
  hoursBetween,
  MEASURES,
  totalsOf,
  usageBars,
  type Measure,
} from './usage-days';

/** Usage per day, by what the caller split it by. */
@Component({
  selector: 'weir-usage-chart',
  imports: [BarChart, FailureNote, Money, Pills, Skeleton],
  host: { class: 'card' },
  template: `
    <div class="split head">
      <h2>{{ heading() }}</h2>
      <div class="cluster">
        <weir-pills [label]="t('usage.measure')" [options]="measures()" [(value)]="measure" />
        <ng-content />
      </div>
    </div>
    @if (days().failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="days().load()" />
    } @else if (days().value()) {
      @let total = totals();
      <p class="totals" data-testid="totals">
        @if (total.requests === 0) {
          <span class="soft">{{ t('chart.empty') }}</span>
        } @else {
          <span class="soft">{{ t('chart.total') }}</span>
          <span><weir-money class="strong" [usd]="total.costUsd" /></span>
          <span>{{ t('dashboard.requests', { count: total.requests }) }}</span>
          <span>{{
            t('chart.tokens', {
              input: formatter.compact(total.inputTokens),
              output: formatter.compact(total.outputTokens),
            })
          }}</span>
        }
      </p>
      @if (total.requests > 0) {
        <weir-bar-chart
          [data]="bars()"
          [label]="heading()"
          [category]="perHour() ? t('chart.hour') : t('chart.day')"
          [format]="format()"
          [formatStep]="formatStep()"
          [whole]="measure() !== 'cost'"
        />
      }
    } @else {
      <weir-skeleton height="18.75rem" />
    }
  `,
  styles: `
    :host {
      display: block;
    }

    .head {
      margin-bottom: var(--weir-gap-3);
    }

    .totals {
      display: flex;
      flex-wrap: wrap;
      gap: 0 var(--weir-gap-4);
      margin-bottom: var(--weir-gap-3);
      font-variant-numeric: tabular-nums;
    }
  `,
})
export class UsageChart {
  protected readonly formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;

  readonly days = input.required<Loadable<readonly UsageDayView[]>>();
  readonly range = input.required<{ readonly from: string; readonly to: string }>();
  readonly heading = input.required<string>();
  /** Each hour by itself: `days` has them then. */
  readonly perHour = input(false);
  /** The first hour or day that is drawn, as `slotOf` writes it; '' draws all of the range. */
  readonly since = input('');
  readonly measure = model<Measure>('cost');

  readonly #slots = computed(() => {
    const { from, to } = this.range();
    return this.perHour() ? hoursBetween(from, to) : daysBetween(from, to);
  });
  protected readonly measures = optionsOf(MEASURES, (measure) => `usage.measure.${measure}`);
  protected readonly bars = computed(() =>
    usageBars(this.days().value() ?? [], {
      slots: this.#slots().filter((slot) => slot >= this.since()),
      measure: this.measure(),
      names: { others: this.t('chart.others'), all: this.t('chart.all') },
      showSlot: (slot) => this.#showSlot(slot),
    }),
  );
  protected readonly format = computed(() => {
    const { formatter } = this;
    const money = this.measure() === 'cost';
    // Drawn figures: nine decimals are more than any axis shows.
    return (value: number): string =>
      money ? formatter.usd(plainDecimal(value)) : formatter.compact(value);
  });
  protected readonly formatStep = computed(() => {
    const { formatter } = this;
    const money = this.measure() === 'cost';
    return (value: number, decimals: number): string =>
      money ? formatter.axisUsd(value, decimals) : formatter.compact(value);
  });
  protected readonly totals = computed(() => totalsOf(this.days().value() ?? []));

  /** Days that are a year apart have the year with them; the hours of one day need no day. */
  #showSlot(slot: string): string {
    const [day = '', hour] = slot.split('T');
    const { from, to } = this.range();
    if (hour === undefined) return this.formatter.utcDay(day, from.slice(0, 4) !== to.slice(0, 4));
    return from === to ? `${hour}:00` : `${this.formatter.utcDay(day)} ${hour}:00`;
  }
}

/** A number as a plain decimal: 1e-7 is not what the formatter reads. */
function plainDecimal(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '');
}
