/**
 * Colours for a canvas, which cannot resolve custom properties: the browser is asked what they come
 * to.
 */
export interface ChartColors {
  readonly series: readonly string[];
  readonly text: string;
  readonly line: string;
  readonly surface: string;
}

const SERIES = [1, 2, 3, 4, 5, 6].map((number) => `--weir-series-${String(number)}`);

/**
 * Returns the style sheet's name of a series' colour; colours repeat after the last, as in the
 * drawing.
 */
export function seriesColor(index: number): string {
  return `var(${SERIES[index % SERIES.length] ?? ''})`;
}

export function chartColors(host: HTMLElement): ChartColors {
  const probe = host.ownerDocument.createElement('span');
  host.append(probe);
  const resolve = (property: string): string => {
    probe.style.color = `var(${property})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    series: SERIES.map(resolve),
    text: resolve('--weir-text-soft'),
    line: resolve('--weir-line'),
    surface: resolve('--weir-raised'),
  };
  probe.remove();
  return colors;
}
