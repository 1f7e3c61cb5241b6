/** One series of a stacked bar chart. */
export interface BarSeries {
  readonly name: string;
  /** One for each category. */
  readonly values: readonly number[];
}

export interface BarData {
  readonly categories: readonly string[];
  readonly series: readonly BarSeries[];
}

const COLORS = 6;

/** Returns the style sheet's colour of a series; colours repeat after the last. */
export function seriesColor(index: number): string {
  return `var(--weir-series-${String((index % COLORS) + 1)})`;
}
