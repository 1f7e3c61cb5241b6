import type { Axis } from './axis';
import type { BarData } from './bar-series';

/** The size of the drawing in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The drawing of stacked bars, in pixels from the upper left corner. */
export interface BarShape {
  /** One path for each series: a year of days in six series is six elements. */
  readonly paths: readonly string[];
  readonly labels: readonly { readonly name: string; readonly x: number }[];
  /** Width of a category. */
  readonly slotPx: number;
}

const BAR_PX_MAX = 28;
/** The part of a category that its bar covers. */
const BAR_SHARE = 0.7;
const CORNER_PX = 2;
const LABEL_GAP_PX = 10;
/** Widths of characters of 12 px; Chinese ones are as wide as they are high. */
const LATIN_PX = 6.5;
const WIDE_PX = 12;
const FIRST_WIDE = 0x2e80;

function labelPx(name: string): number {
  return Array.from(name).reduce(
    (sum, character) => sum + ((character.codePointAt(0) ?? 0) < FIRST_WIDE ? LATIN_PX : WIDE_PX),
    0,
  );
}

function rectangle(x: number, y: number, width: number, height: number): string {
  const round = (pixels: number): string => String(Math.round(pixels * 100) / 100);
  const corner = Math.min(CORNER_PX, width / 2, height / 2);
  const [across, down] = [round(width - 2 * corner), round(height - 2 * corner)];
  const [plus, minus] = [round(corner), round(-corner)];
  return [
    `M${round(x + corner)} ${round(y)}h${across}q${plus} 0 ${plus} ${plus}v${down}`,
    `q0 ${plus} ${minus} ${plus}h-${across}q${minus} 0 ${minus} ${minus}v-${down}`,
    `q0 ${minus} ${plus} ${minus}z`,
  ].join('');
}

/** Labels at equal distances, as many as fit next to each other and into the drawing. */
function labelsOf(categories: readonly string[], { width }: Size): BarShape['labels'] {
  const slotPx = width / categories.length;
  const widestPx = Math.max(...categories.map(labelPx));
  const every = Math.max(1, Math.ceil((widestPx + LABEL_GAP_PX) / slotPx));
  return categories
    .map((name, index) => ({ name, x: (index + 0.5) * slotPx }))
    .filter(({ name, x }, index) => index % every === 0 && x + labelPx(name) / 2 <= width);
}

/** @param max the value at the upper edge */
export function barShape({ categories, series }: BarData, size: Size, max: number): BarShape {
  const slotPx = size.width / categories.length;
  const barPx = Math.min(BAR_PX_MAX, slotPx * BAR_SHARE);
  const toPx = (value: number): number => (value / max) * size.height;
  const sums = categories.map(() => 0);
  const paths = series.map(({ values }) =>
    categories
      .map((_name, index) => {
        const value = values[index] ?? 0;
        const top = (sums[index] ?? 0) + value;
        sums[index] = top;
        const x = (index + 0.5) * slotPx - barPx / 2;
        return value > 0 ? rectangle(x, size.height - toPx(top), barPx, toPx(value)) : '';
      })
      .join(''),
  );
  return { paths, labels: labelsOf(categories, size), slotPx };
}

/** The steps of an axis, with their distance from its upper end as a part of its length. */
export function stepsOf({ max, step }: Axis): { readonly value: number; readonly top: number }[] {
  return Array.from({ length: Math.round(max / step) + 1 }, (_, index) => {
    const value = index * step;
    return { value, top: 1 - value / max };
  });
}

/** Returns the series whose part of a bar is at a value of the axis, null above the bar. */
export function seriesAt({ series }: BarData, category: number, value: number): number | null {
  let sum = 0;
  const index = series.findIndex(({ values }) => {
    sum += values[category] ?? 0;
    return value < sum;
  });
  return index === -1 ? null : index;
}
