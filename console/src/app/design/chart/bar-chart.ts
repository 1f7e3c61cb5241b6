import { Component, computed, inject, input, signal } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { axisFor } from './axis';
import type { BarData } from './bar-series';
import { bandsOf, heightsOf } from './bars';

/** Colours begin anew after the last. */
const COLORS = 6;

/**
 * Stacked bars, drawn with boxes: a library for it was half of what the first page transferred. The drawing is for
 * people who see; everyone gets the same figures as a table, one press away.
 */
@Component({
  selector: 'weir-bar-chart',
  templateUrl: './bar-chart.html',
  styleUrl: './bar-chart.scss',
})
export class BarChart {
  protected readonly t = inject(I18n).t;

  readonly data = input.required<BarData>();
  readonly label = input.required<string>();
  /** What the categories are: days. */
  readonly category = input.required<string>();
  readonly format = input.required<(value: number) => string>();

  /** Which band is pointed at. */
  protected readonly pointed = signal<number | undefined>(undefined);
  readonly #axis = computed(() => axisFor(heightsOf(this.data())));
  protected readonly ticks = computed(() => this.#axis().ticks);
  protected readonly bands = computed(() => bandsOf(this.data()));

  protected readonly rows = computed(() => {
    const { categories, series } = this.data();
    const format = this.format();
    return categories.map((name, index) => ({
      name,
      values: series.map(({ values }) => format(values[index] ?? 0)),
    }));
  });

  /** What stands beside the band that is pointed at: on the side that has more room. */
  protected readonly tip = computed(() => {
    const at = this.pointed();
    const band = at === undefined ? undefined : this.bands()[at];
    if (at === undefined || band === undefined) return undefined;
    const middle = (at + 0.5) / this.bands().length;
    // As they are seen, from the top down.
    const parts = band.parts.toReversed();
    return { name: band.name, parts, before: middle > 0.5, leftPercent: middle * 100 };
  });

  protected share(value: number): number {
    return (value / this.#axis().max) * 100;
  }

  protected colorOf(index: number): string {
    return `var(--weir-series-${String((index % COLORS) + 1)})`;
  }
}
