import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { Formatter } from './formatter';
import type { Language } from '../i18n/i18n';
import { readable, readableField } from './readable';

const GROUP = '0190aaaa-0000-7000-8000-000000000001';
const reader = {
  names: { [GROUP]: 'general' },
  formatter: new Formatter(signal<Language>('en')),
  yes: 'yes',
  no: 'no',
};

test.each([
  ['amountUsd', '-5', '-$5.00'],
  ['priceUsd', '0.000000001', '$0.000000001'],
  ['groupIds', [GROUP, 'unknown'], 'general, unknown'],
  ['groupIds', [], '–'],
  ['allowPrivate', false, 'no'],
  ['rpm', null, '–'],
  ['weight', 1_000, '1,000'],
  ['name', '2026', '2026'],
  [
    'models',
    [
      { modelId: GROUP, upstreamName: 'a' },
      { modelId: 'b', upstreamName: 'c' },
    ],
    'model id: general, upstream name: a\nmodel id: b, upstream name: c',
  ],
  ['price', { inputUsd: '1', longContext: null }, 'input usd: $1.00'],
])('%s of a view is read without JSON: %j', (field, value, expected) => {
  expect(readable(value, field, reader)).toBe(expected);
});

test('Times are told to the second, with their zone', () => {
  expect(readable('2026-11-21T12:00:07.000Z', 'at', reader)).toMatch(/12:00:07 PM UTC/);
});

test('Names of fields are words', () => {
  expect(readableField('firstByteTimeoutMs')).toBe('first byte timeout ms');
});
