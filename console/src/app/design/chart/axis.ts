/** What a chart's upright axis shows: `ticks` from nothing to `max`, evenly apart. */
export interface Axis {
  readonly max: number;
  readonly ticks: readonly number[];
}

/** Lines of the grid above nothing: more of them are harder to read than the bars. */
const STEPS_MAX = 4;
/** Steps that people count in, of each power of ten. */
const ROUND_STEPS = [1, 2, 5, 10];
/** Undoes what binary fractions add: 3 × 0.1 is shown as 0.3. */
const DIGITS = 12;

/** The least round step that needs no more than STEPS_MAX of them. */
function stepFor(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest / STEPS_MAX));
  const round = ROUND_STEPS.find((one) => one * power * STEPS_MAX >= highest) ?? 10;
  return round * power;
}

/** An axis for `values` (none negative) in round steps; counts are not divided. */
export function axisFor(values: readonly number[]): Axis {
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  if (highest === 0) return { max: 1, ticks: [0] };
  const isCount = values.every((value) => Number.isInteger(value));
  const step = isCount ? Math.max(1, stepFor(highest)) : stepFor(highest);
  const steps = Math.ceil(highest / step - 1e-9);
  const ticks = Array.from({ length: steps + 1 }, (_, index) =>
    Number((index * step).toPrecision(DIGITS)),
  );
  return { max: ticks.at(-1) ?? highest, ticks };
}
