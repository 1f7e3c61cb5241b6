import { expect, it } from 'vitest';
import { changeOf } from './trend-change';

const PLAIN = { isShare: false, better: null } as const;

it('is a share of the earlier figure, or points of a share', () => {
  expect(changeOf(150, 100, PLAIN)).toEqual({ amount: 0.5, sign: '+', tone: 'plain' });
  expect(changeOf(2, 5, { isShare: true, better: 'less' })).toEqual({
    ...{ amount: 3, sign: '−', tone: 'good' },
  });
});

it('says what is better and worse only where there is such a thing', () => {
  expect(changeOf(900, 600, { isShare: false, better: 'less' })?.tone).toBe('bad');
  expect(changeOf(-2, -4, { isShare: false, better: 'more' })?.tone).toBe('good');
});

it('has no colour when it is small', () => {
  expect(changeOf(615, 600, { isShare: false, better: 'less' })?.tone).toBe('plain');
});

it('is no news when it is noise', () => {
  expect(changeOf(1_000, 1_001, PLAIN)).toMatchObject({ sign: '±', amount: 0 });
});

it('is unknown without an earlier figure, and from nothing', () => {
  expect(changeOf(5, null, PLAIN)).toBeUndefined();
  expect(changeOf(null, 5, PLAIN)).toBeUndefined();
  expect(changeOf(5, 0, PLAIN)).toBeUndefined();
  expect(changeOf(5, 0, { isShare: true, better: 'less' })?.tone).toBe('bad');
});
