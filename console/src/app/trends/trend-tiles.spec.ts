import { signal } from '@angular/core';
import { expect, it } from 'vitest';
import { Formatter } from '../core/format/formatter';
import type { Language } from '../core/i18n/i18n';
import { NO_TRENDS } from './no-trends';
import { TrendTiles } from './trend-tiles';

const tiles = new TrendTiles(new Formatter(signal<Language>('en')));

it('draws the hours that are over, and the running one only on the first day', () => {
  const requests = (points: (number | null)[]) => {
    const trends = { ...NO_TRENDS, requests: { value: 9, weekBefore: null, points } };
    return tiles.ofTraffic(trends).find(({ id }) => id === 'requests')?.points;
  };
  expect(requests([4, 4, 1])).toEqual([4, 4]);
  expect(requests([0, null, 1])).toEqual([0, null, 1]);
});

it('shows eight figures, and seven to those who may not see margins', () => {
  expect(tiles.ofEverything(NO_TRENDS)).toHaveLength(8);
  const ids = tiles.ofEverything({ ...NO_TRENDS, marginPercent: null }).map(({ id }) => id);
  expect(ids).toHaveLength(7);
  expect(ids).not.toContain('margin');
});
