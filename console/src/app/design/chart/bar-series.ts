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
