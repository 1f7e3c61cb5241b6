/** The value axis of a chart: its steps and their labels. */
export interface Axis {
  readonly max: number;
  readonly step: number;
  /** Decimals that distinguish any two steps. */
  readonly decimals: number;
}

/** More lines do not make a bar easier to read. */
const STEPS_MAX = 4;
const NICE = [1, 2, 5, 10];

/**
 * Steps of 1, 2 or 5 times a power of ten, so that few digits write each of them exactly. Rounded
 * labels would repeat themselves on small amounts.
 * @param whole what is counted has no fractions
 */
export function axisOf(largest: number, whole: boolean): Axis {
  if (!(largest > 0)) return { max: 1, step: 1, decimals: 0 };
  const power = 10 ** Math.floor(Math.log10(largest / STEPS_MAX));
  // 0.30000000000000004 is three tenths.
  const fits = NICE.find((nice) => nice * power * STEPS_MAX >= largest * (1 - 1e-9)) ?? 10;
  const step = whole ? Math.max(1, fits * power) : fits * power;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return { max: step * Math.ceil(largest / step - 1e-9), step, decimals };
}

/** The largest bar: series are stacked. */
export function largestStack(series: readonly { readonly values: readonly number[] }[]): number {
  const sums: number[] = [];
  for (const { values } of series) {
    for (const [index, value] of values.entries()) sums[index] = (sums[index] ?? 0) + value;
  }
  return Math.max(0, ...sums);
}
