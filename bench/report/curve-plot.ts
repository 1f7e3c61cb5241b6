import { median, type Figure } from '../measure/figure.ts';
import { COLOURS, document, INK, line, text } from './svg.ts';
import { formatNumber } from './table.ts';

const WIDTH = 620;
const HEIGHT = 320;
const LEFT = 64;
const RIGHT = 150;
const TOP = 44;
const BOTTOM = 44;
const GRID_LINES = 4;

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

export interface CurvePlot {
  readonly title: string;
  readonly over: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

/** Figures of one curve by target, in the order of their points. */
export function seriesOf(figures: readonly Figure[]): Series[] {
  const names = [...new Set(figures.map(({ target }) => target))];
  return names.map((name) => ({
    name,
    points: figures
      .filter(({ target }) => target === name)
      .map(({ curve, rounds }) => ({ at: curve?.at ?? 0, value: median(rounds) }))
      .sort((a, b) => a.at - b.at),
  }));
}

/**
 * A line per target. Points stand at equal distances: their values grow by factors, not by steps.
 */
export function curvePlot({ title, over, unit, series }: CurvePlot): string {
  const positions = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort(
    (a, b) => a - b,
  );
  const top = Math.max(...series.flatMap(({ points }) => points.map(({ value }) => value)), 0.001);
  const plotWidth = WIDTH - LEFT - RIGHT;
  const plotHeight = HEIGHT - TOP - BOTTOM;
  const x = (at: number): number =>
    LEFT + (plotWidth * (positions.indexOf(at) + 0.5)) / positions.length;
  const y = (value: number): number => TOP + plotHeight * (1 - Math.max(0, value) / top);
  const shapes = [text(title, { x: 12, y: 22 })];
  for (let step = 0; step <= GRID_LINES; step += 1) {
    const value = (top * step) / GRID_LINES;
    shapes.push(
      line({ from: [LEFT, y(value)], to: [LEFT + plotWidth, y(value)] }),
      text(formatNumber(value), { x: LEFT - 6, y: y(value) + 4, anchor: 'end' }),
    );
  }
  for (const at of positions) {
    shapes.push(text(String(at), { x: x(at), y: HEIGHT - BOTTOM + 18, anchor: 'middle' }));
  }
  shapes.push(
    text(over, { x: LEFT + plotWidth / 2, y: HEIGHT - 8, anchor: 'middle' }),
    text(unit, { x: LEFT - 6, y: TOP - 10, anchor: 'end' }),
  );
  for (const [index, { name, points }] of series.entries()) {
    const colour = COLOURS[index % COLOURS.length] ?? INK;
    const path = points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
    shapes.push(
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        ({ at, value }) =>
          `<circle cx="${x(at).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="${colour}"/>`,
      ),
      text(name, { x: WIDTH - RIGHT + 12, y: TOP + 14 + 20 * index, colour }),
    );
  }
  return document(WIDTH, HEIGHT, shapes);
}
