import type { TargetName } from '../targets/target.ts';

/** Weir's promise about a figure; `of` says whether the figure itself or its ratio is meant. */
export interface Bar {
  readonly of: 'value' | 'ratio';
  readonly kind: 'at_most' | 'at_least';
  readonly limit: number;
}

/** One number that a scenario found, with every round behind it. */
export interface Figure {
  readonly scenario: string;
  readonly name: string;
  readonly target: TargetName;
  readonly unit: string;
  /** One value per round; the median counts. */
  readonly rounds: readonly number[];
  /**
   * The reference of the ratio, round by round. A baseline's figure is measured in turn with this
   * one; the gateway's own with fewer threads or without a flood is not: its rounds come before.
   */
  readonly against?: { readonly target: TargetName; readonly rounds: readonly number[] };
  readonly bar?: Bar;
  /** A point of a growth curve. */
  readonly curve?: { readonly over: string; readonly at: number };
  /** A note for the reader: why it cannot be judged here, or what was wrong with the replies. */
  readonly note?: string;
  /** True when the note means that the bar cannot be judged. */
  readonly unjudged?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Median of the rounds' own ratios: what disturbs a round disturbs both of its sides. */
export function ratioOf({ rounds, against }: Figure): number | undefined {
  if (against === undefined) return undefined;
  return median(rounds.map((value, round) => value / (against.rounds[round] ?? Number.NaN)));
}

export type Verdict = 'met' | 'NOT MET' | 'not judged' | '';

export function verdict(figure: Figure): Verdict {
  const { bar } = figure;
  if (bar === undefined) return '';
  const value = bar.of === 'ratio' ? ratioOf(figure) : median(figure.rounds);
  if (figure.unjudged === true || value === undefined || Number.isNaN(value)) return 'not judged';
  const met = bar.kind === 'at_most' ? value <= bar.limit : value >= bar.limit;
  return met ? 'met' : 'NOT MET';
}
