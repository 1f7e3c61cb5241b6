import { Component, computed, inject, input, model } from '@angular/core';
import type { UsageDayView } from '@weir/shared/usage';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import type { Loadable } from '../core/state/loadable';
import { BarChart } from '../design/chart/bar-chart';
import { FailureNote } from '../design/feedback/failure-note';
import { Note } from '../design/feedback/note';
import { Skeleton } from '../design/feedback/skeleton';
import { Pills, type Pill } from '../design/field/pills';
import { daysBetween, MEASURES, usageBars, type Measure } from './usage-days';

/** Usage per day, by what the caller split it by. */
@Component({
  selector: 'weir-usage-chart',
  imports: [BarChart, FailureNote, Note, Pills, Skeleton],
  host: { class: 'card' },
  template: `
    <div class="split head">
      <h2>{{ heading() }}</h2>
      <div class="cluster">
        <weir-pills [label]="t('usage.measure')" [options]="measures()" [(value)]="measure" />
        <ng-content />
      </div>
    </div>
    @if (note(); as words) {
      <weir-note class="remark">{{ words }}</weir-note>
    }
    @if (days().failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="days().load()" />
    } @else if (days().value()) {
      <weir-bar-chart
        [data]="bars()"
        [label]="heading()"
        [category]="t('chart.day')"
        [format]="format()"
      />
    } @else {
      <weir-skeleton height="18.75rem" />
    }
  `,
  styles: `
    :host {
      display: block;
    }

    .head,
    .remark {
      margin-bottom: var(--weir-gap-4);
    }
  `,
})
export class UsageChart {
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;

  readonly days = input.required<Loadable<readonly UsageDayView[]>>();
  readonly range = input.required<{ readonly from: string; readonly to: string }>();
  readonly heading = input.required<string>();
  /** What the chart leaves out of what was chosen. */
  readonly note = input('');
  readonly measure = model<Measure>('cost');

  protected readonly measures = computed((): Pill<Measure>[] =>
    MEASURES.map((value) => ({ value, label: this.t(`usage.measure.${value}`) })),
  );
  protected readonly bars = computed(() =>
    usageBars(this.days().value() ?? [], {
      days: daysBetween(this.range().from, this.range().to),
      measure: this.measure(),
      names: { others: this.t('chart.others'), all: this.t('chart.all') },
      showDay: (day) => this.#formatter.utcDay(day),
    }),
  );
  protected readonly format = computed(() => {
    const formatter = this.#formatter;
    const money = this.measure() === 'cost';
    // Drawn figures: nine decimals are more than any axis shows.
    return (value: number): string =>
      money ? formatter.usd(plainDecimal(value)) : formatter.compact(value);
  });
}

/** A number as a plain decimal: 1e-7 is not what the formatter reads. */
function plainDecimal(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '');
}
