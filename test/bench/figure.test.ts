import { describe, expect, it } from 'vitest';
import { median, ratioOf, verdict, type Figure } from '../../bench/measure/figure.ts';

const figure: Figure = {
  scenario: 'any',
  name: 'CPU per request',
  target: 'weir',
  unit: 'us',
  rounds: [30, 60, 45],
  against: { target: 'pass-through', rounds: [20, 60, 30] },
  bar: { of: 'ratio', kind: 'at_most', limit: 1.5 },
};

describe('a figure', () => {
  it('has the median of its rounds', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('is compared round by round, because a disturbed round disturbs both sides', () => {
    expect(ratioOf(figure)).toBe(1.5);
    expect(ratioOf({ ...figure, rounds: [30, 600, 45] })).toBe(1.5);
  });

  it('meets its bar or does not', () => {
    const atLeast = { of: 'value', kind: 'at_least', limit: 50 } as const;
    expect(verdict(figure)).toBe('met');
    expect(verdict({ ...figure, rounds: [31, 91, 46] })).toBe('NOT MET');
    expect(verdict({ ...figure, bar: atLeast })).toBe('NOT MET');
    expect(verdict({ ...figure, bar: { ...atLeast, limit: 45 } })).toBe('met');
  });

  it('is not judged when something was wrong with it', () => {
    expect(verdict({ ...figure, unjudged: true })).toBe('not judged');
    expect(verdict({ ...figure, rounds: [] })).toBe('not judged');
  });
});
