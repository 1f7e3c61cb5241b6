import type { UsageDayView } from '@weir/shared/watch/usage';
import { describe, expect, test } from 'vitest';
import * as views from '../../testing/views';
import { topEntries } from '../dashboard/dashboard-state';
import {
  daysBetween,
  hoursBetween,
  lastDays,
  totalsOf,
  usageBars,
  type Measure,
} from './usage-days';

const NAMES = { others: 'Others', all: 'All' };

function day(on: string, of: string | null, costUsd: string, requests = 1): UsageDayView {
  const tokens = { inputTokens: 10 * requests, outputTokens: requests };
  return views.day({ day: on, of, label: of, requests, ...tokens, costUsd });
}

function bars(rows: readonly UsageDayView[], measure: Measure = 'cost') {
  const slots = daysBetween('2026-11-01', '2026-11-02');
  return usageBars(rows, { slots, measure, names: NAMES, showSlot: (one) => one.slice(8) });
}

describe('Days of a chart', () => {
  test('are those of UTC, both ends included, also across a change of clocks and a month', () => {
    expect(daysBetween('2026-10-24', '2026-10-26')).toHaveLength(3);
    expect(daysBetween('2026-02-28', '2026-03-01')).toEqual(['2026-02-28', '2026-03-01']);
    expect(lastDays(7, Date.parse('2026-11-21T23:59:59Z'))).toEqual({
      from: '2026-11-15',
      to: '2026-11-21',
    });
  });

  test('without usage are nothing, not left out', () => {
    expect(bars([day('2026-11-02', 'river-1', '0.5')])).toEqual({
      categories: ['01', '02'],
      series: [{ name: 'river-1', values: [0, 0.5] }],
    });
  });

  test('have their hours', () => {
    const rows = [
      views.day({ day: '2026-11-01', hour: 5, costUsd: '1' }),
      views.day({ day: '2026-11-02', hour: 0, costUsd: '2' }),
    ];
    const slots = hoursBetween('2026-11-01', '2026-11-02');
    const options = {
      slots,
      measure: 'cost',
      names: NAMES,
      showSlot: (one: string) => one,
    } as const;
    const { categories, series } = usageBars(rows, options);
    expect(categories).toHaveLength(48);
    const shown = series[0]?.values.flatMap((value, index) =>
      value > 0 ? [categories[index]] : [],
    );
    expect(shown).toEqual(['2026-11-01T05', '2026-11-02T00']);
  });

  test('are summed up exactly', () => {
    const rows = [day('2026-11-01', 'a', '0.1', 2), day('2026-11-02', null, '0.2', 3)];
    expect(totalsOf(rows)).toEqual({
      costUsd: '0.3',
      requests: 5,
      inputTokens: 50,
      outputTokens: 5,
    });
    expect(totalsOf([]).costUsd).toBe('0');
  });

  test('show cost, requests or tokens of the same records', () => {
    const rows = [day('2026-11-01', 'river-1', '0.5', 3)];
    const shown = (measure: Measure) => bars(rows, measure).series[0]?.values[0];
    expect((['cost', 'requests', 'tokens'] as const).map(shown)).toEqual([0.5, 3, 33]);
  });

  test('name the largest parts first and put the rest, with what has no name, together', () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].map((number) =>
      day('2026-11-01', `river-${String(number)}`, String(number)),
    );
    const { series } = bars([...rows, day('2026-11-01', null, '10')]);
    expect(series.map(({ name, values }) => [name, values[0]])).toEqual([
      ['river-7', 7],
      ['river-6', 6],
      ['river-5', 5],
      ['river-4', 4],
      ['river-3', 3],
      ['Others', 13],
    ]);
  });

  test('that are split by nothing are all of it', () => {
    expect(bars([day('2026-11-01', null, '2')]).series).toEqual([{ name: 'All', values: [2, 0] }]);
  });
});

test('Who spent most is summed exactly, and the sum of the rest is nobody’s', () => {
  const days = [
    ...Array.from({ length: 10 }, () => day('2026-11-01', 'river-1', '0.1')),
    day('2026-11-02', 'river-2', '1.000000001'),
    day('2026-11-02', null, '99'),
  ];
  expect(topEntries(days, 2).map(({ id, costUsd, requests }) => [id, costUsd, requests])).toEqual([
    ['river-2', '1.000000001', 1],
    ['river-1', '1', 10],
  ]);
});
