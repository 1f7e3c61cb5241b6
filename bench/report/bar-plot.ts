import { median, ratioOf, verdict, type Figure } from '../measure/figure.ts';
import { document, GRID, INK, line, text } from './svg.ts';
import { formatNumber } from './table.ts';

const WIDTH = 900;
const LABEL_WIDTH = 430;
const ROW_HEIGHT = 26;
const TOP = 56;
/** Bars that go further beyond their limit are cut here. */
const SHARE_MAX = 2;
const MET = '#0f766e';
const NOT_MET = '#be123c';
const NOT_JUDGED = '#9ca3af';

/** Returns the used part of a figure's limit: 1 is exactly the bar, less is better. */
function shareOfLimit(figure: Figure): number {
  const { bar } = figure;
  if (bar === undefined) return 0;
  const value = bar.of === 'ratio' ? (ratioOf(figure) ?? 0) : median(figure.rounds);
  return Math.max(0, bar.kind === 'at_most' ? value / bar.limit : bar.limit / value);
}

/** All bars in one picture: each figure as a share of what it may be. */
export function barPlot(figures: readonly Figure[], title: string): string {
  const barred = figures.filter(({ bar }) => bar !== undefined);
  const height = TOP + ROW_HEIGHT * barred.length + 24;
  const scale = (WIDTH - LABEL_WIDTH - 90) / SHARE_MAX;
  const limitX = LABEL_WIDTH + scale;
  const shapes = [
    text(title, { x: 12, y: 22 }),
    text('allowed', { x: limitX, y: TOP - 12, anchor: 'middle' }),
    line({ from: [LABEL_WIDTH, TOP - 6], to: [LABEL_WIDTH, height - 18], colour: GRID }),
  ];
  for (const [index, figure] of barred.entries()) {
    const y = TOP + ROW_HEIGHT * index;
    const share = shareOfLimit(figure);
    const outcome = verdict(figure);
    const colour = outcome === 'met' ? MET : outcome === 'NOT MET' ? NOT_MET : NOT_JUDGED;
    const width = Math.min(SHARE_MAX, Number.isFinite(share) ? share : 0) * scale;
    const { limit = 0, of } = figure.bar ?? {};
    const value = of === 'ratio' ? (ratioOf(figure) ?? Number.NaN) : median(figure.rounds);
    const unit = of === 'ratio' ? '×' : figure.unit;
    shapes.push(
      text(`${figure.scenario}: ${figure.name}`, { x: LABEL_WIDTH - 8, y: y + 15, anchor: 'end' }),
      `<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 10}" fill="${colour}"/>`,
      text(`${formatNumber(value)} of ${limit} ${unit}`, {
        x: LABEL_WIDTH + width + 6,
        y: y + 15,
      }),
    );
  }
  shapes.push(
    line({ from: [limitX, TOP - 6], to: [limitX, height - 18], colour: INK, dashed: true }),
  );
  return document(WIDTH, height, shapes);
}
