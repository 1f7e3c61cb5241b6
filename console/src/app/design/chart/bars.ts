import type { BarData } from './bar-series';

/** One series' share of a bar. */
interface BarPart {
  /** Of the series, which has the same colour everywhere. */
  readonly index: number;
  readonly name: string;
  readonly value: number;
}

/** One category as it is drawn. */
interface Band {
  readonly name: string;
  /** Whether its name stands below: all have no room. Every second of the named is left out on a narrow page. */
  readonly named: 'first' | 'second' | false;
  /** From the ground up, without what is nothing. */
  readonly parts: readonly BarPart[];
}

/** Names below the chart: as many as a wide page has room for. */
const NAMES_MAX = 8;

export function bandsOf({ categories, series }: BarData): Band[] {
  const stride = Math.max(1, Math.ceil(categories.length / NAMES_MAX));
  return categories.map((name, at) => {
    // Counted from the end: the latest day is the one that is looked for.
    const place = categories.length - 1 - at;
    const named = place % stride !== 0 ? false : (place / stride) % 2 === 0 ? 'first' : 'second';
    const parts = series.map((one, index) => ({
      index,
      name: one.name,
      value: one.values[at] ?? 0,
    }));
    return { name, named, parts: parts.filter(({ value }) => value > 0) };
  });
}

/** What each bar comes to. */
export function heightsOf({ categories, series }: BarData): number[] {
  return categories.map((_name, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
}
