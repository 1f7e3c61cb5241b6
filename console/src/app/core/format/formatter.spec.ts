import { signal } from '@angular/core';
import { describe, expect, test } from 'vitest';
import { UsageFilters } from '../../usage/usage-filters';
import type { Language } from '../i18n/i18n';
import { Formatter } from './formatter';

function formatterIn(language: Language): Formatter {
  return new Formatter(signal(language));
}

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');

describe('Money', () => {
  const english = formatterIn('en');

  test.each([
    ['0', '$0.00', '$0.00'],
    ['12.5', '$12.50', '$12.50'],
    ['1234567.891', '$1,234,567.89', '$1,234,567.891'],
    ['-3.456', '-$3.46', '-$3.456'],
    ['0.07', '$0.07', '$0.07'],
    ['0.004', '$0.004', '$0.004'],
    ['0.00080412', '$0.0008', '$0.00080412'],
    ['0.000000001', '$0.000000001', '$0.000000001'],
    ['12345678.999999999', '$12,345,679.00', '$12,345,678.999999999'],
  ])('%s is shown as %s, and exactly as %s on hover', (amount, shown, exact) => {
    expect(english.usd(amount)).toBe(shown);
    expect(english.exactUsd(amount)).toBe(exact);
  });

  test('is exact where a floating-point number would not be', () => {
    expect(english.exactUsd('12345678901234567890.123456789')).toBe(
      '$12,345,678,901,234,567,890.123456789',
    );
  });

  test('a price is never rounded', () => {
    expect(english.price('0.125')).toBe('$0.125');
    expect(english.price('40')).toBe('$40.00');
  });
});

describe('Times', () => {
  test.each([
    ['2026-11-21T11:59:30.000Z', 'now', '现在'],
    ['2026-11-21T11:57:00.000Z', '3 minutes ago', '3分钟前'],
    ['2026-11-21T17:00:00.000Z', 'in 5 hours', '5小时后'],
    ['2026-11-20T11:00:00.000Z', 'yesterday', '昨天'],
    ['2026-10-01T12:00:00.000Z', 'Oct 1, 2026', '2026年10月1日'],
  ])('%s is %s, and %s in Chinese', (instant, english, chinese) => {
    for (const [language, words] of [
      ['en', english],
      ['zh-CN', chinese],
    ] as const) {
      const formatter = formatterIn(language);
      formatter.tick(NOW_MS);
      expect(formatter.when(instant)).toBe(words);
    }
  });

  test('grow old while a page is open', () => {
    const formatter = formatterIn('en');
    formatter.tick(NOW_MS);
    expect(formatter.when('2026-11-21T12:00:00.000Z')).toBe('now');
    formatter.tick(NOW_MS + 5 * 60_000);
    expect(formatter.when('2026-11-21T12:00:00.000Z')).toBe('5 minutes ago');
  });

  test('days and months of the API stay in UTC', () => {
    const formatter = formatterIn('en');
    expect(formatter.utcDay('2026-11-01')).toBe('Nov 1');
    expect(formatter.utcMonth('2026-01')).toBe('January 2026');
  });

  test('rows of past days say when on that day', () => {
    const past = '2026-10-01T14:05:00.000Z';
    expect(formatterIn('en').recentMoment(past)).toMatch(/^Oct 1, 02:05:00\sPM$/);
    expect(formatterIn('zh-CN').recentMoment(past)).toBe('10月1日 14:05:00');
  });

  test('exact times say seconds and zone', () => {
    expect(formatterIn('en').exactMoment('2026-11-21T12:00:07.000Z')).toMatch(/12:00:07 PM UTC/);
  });
});

test('Everything follows the language at once', () => {
  const language = signal<Language>('en');
  const formatter = new Formatter(language);
  expect(formatter.compact(12_345)).toBe('12.3K');
  expect(formatter.number(1_234_567)).toBe('1,234,567');
  expect(formatter.day('2026-11-21T12:00:00.000Z')).toBe('Nov 21, 2026');
  language.set('zh-CN');
  expect(formatter.compact(12_345)).toBe('1.2万');
  expect(formatter.day('2026-11-21T12:00:00.000Z')).toBe('2026年11月21日');
  expect(formatter.usd('12.5')).toBe('$12.50');
});

test('Durations and spans change their unit where a reader would', () => {
  const formatter = formatterIn('en');
  expect(formatter.duration(850)).toBe('850ms');
  expect(formatter.duration(1_234)).toBe('1.23s');
  expect(formatter.span(45 * 60_000)).toBe('45 min');
  expect(formatter.span(3 * 3_600_000)).toBe('3 hr');
  expect(formatter.span(12 * 86_400_000)).toBe('12 days');
});

test('Today is a day of UTC, and the next one once that has come', () => {
  const formatter = formatterIn('en');
  formatter.tick(Date.parse('2026-11-30T23:59:59.999Z'));
  const { days } = new UsageFilters(formatter.today);
  expect([formatter.today(), days().from]).toEqual(['2026-11-30', '2026-11-01']);
  formatter.tick(Date.parse('2026-12-01T00:00:00Z'));
  expect([formatter.today(), days()]).toEqual([
    '2026-12-01',
    { from: '2026-11-02', to: '2026-12-01' },
  ]);
});
