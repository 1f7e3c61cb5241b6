import { writeFileSync } from 'node:fs';
import type { Figure } from '../measure/figure.ts';
import { barPlot } from './bar-plot.ts';
import { curvePlot, seriesOf } from './curve-plot.ts';

/** Writes a plot of all bars and one of every curve; answers the files' paths. */
export function writePlots(path: string, figures: readonly Figure[]): string[] {
  const written: string[] = [];
  const write = (name: string, svg: string): void => {
    const file = `${path}-${name}.svg`;
    writeFileSync(file, svg);
    written.push(file);
  };
  if (figures.some(({ bar }) => bar !== undefined)) {
    write('bars', barPlot(figures, 'Figures as shares of what they may be'));
  }
  const curved = figures.filter(({ curve }) => curve !== undefined);
  const curves = new Map<string, Figure[]>();
  for (const figure of curved) {
    const name = `${figure.scenario} over ${figure.curve?.over ?? ''} in ${figure.unit}`;
    curves.set(name, [...(curves.get(name) ?? []), figure]);
  }
  for (const [title, members] of curves) {
    const [first] = members;
    if (first === undefined) continue;
    const over = first.curve?.over ?? '';
    const svg = curvePlot({ title, over, unit: first.unit, series: seriesOf(members) });
    write(title.replace(/[^a-z0-9]+/gi, '-').toLowerCase(), svg);
  }
  return written;
}
