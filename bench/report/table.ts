import { median, ratioOf, verdict, type Bar, type Figure } from '../measure/figure.ts';

const COLUMNS = ['figure', 'of', 'median', 'rounds', 'against', 'ratio', 'bar', ''] as const;
const RIGHT = new Set<number>([2, 5]);

/** Three significant digits, and no more than a unit's thousandth. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return size >= 1 ? value.toFixed(2) : value.toFixed(3);
}

function spread(rounds: readonly number[]): string {
  if (rounds.length < 2) return '';
  return `${formatNumber(Math.min(...rounds))}–${formatNumber(Math.max(...rounds))}`;
}

function barText({ of, kind, limit }: Bar, unit: string): string {
  const sign = kind === 'at_most' ? '≤' : '≥';
  return of === 'ratio' ? `${sign} ${limit} ×` : `${sign} ${limit} ${unit}`;
}

function row(figure: Figure): string[] {
  const ratio = ratioOf(figure);
  const outcome = verdict(figure);
  return [
    figure.name,
    figure.target,
    `${formatNumber(median(figure.rounds))} ${figure.unit}`,
    spread(figure.rounds),
    figure.against?.target ?? '',
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    figure.bar === undefined ? '' : barText(figure.bar, figure.unit),
    [outcome, figure.note ?? ''].filter((part) => part !== '').join(': '),
  ];
}

function lines(rows: readonly (readonly string[])[]): string[] {
  const widths = COLUMNS.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) =>
        RIGHT.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** The figures of one scenario as lines of text. */
export function tableOf(scenario: string, figures: readonly Figure[]): string {
  return [`\n${scenario}`, ...lines([[...COLUMNS], ...figures.map(row)])].join('\n');
}

/** Every bar next to its figure. */
export function tableOfBars(figures: readonly Figure[]): string {
  const barred = figures.filter(({ bar }) => bar !== undefined);
  const rows = barred.map((figure) => {
    const [name = '', ...rest] = row(figure);
    return [`${figure.scenario}: ${name}`, ...rest];
  });
  return ['\nEvery bar next to its figure', ...lines([[...COLUMNS], ...rows])].join('\n');
}
