import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  decimal,
  multiply,
  readDecimal,
  roundUp,
  shareOf,
  subtract,
  writeDecimal,
  ZERO,
} from './decimal';

describe('A decimal', () => {
  test.each([
    ['0', '0'],
    ['0.10', '0.1'],
    ['-0.000000001', '-0.000000001'],
    ['12345678.999999999', '12345678.999999999'],
    ['007', '7'],
    ['-5', '-5'],
    ['1.000', '1'],
  ])('reads %s and writes %s', (text, written) => {
    expect(writeDecimal(decimal(text))).toBe(written);
  });

  test.each(['', '.5', '1.', '1e3', '+1', '1,000', '--1', '0x1', 'NaN'])(
    'does not take "%s" for a number',
    (text) => {
      expect(readDecimal(text)).toBeUndefined();
      expect(() => decimal(text)).toThrow('is not a decimal');
    },
  );

  test('adds and subtracts where floating point would not', () => {
    expect(writeDecimal(add(decimal('0.1'), decimal('0.2')))).toBe('0.3');
    expect(writeDecimal(subtract(decimal('1'), decimal('0.999999999')))).toBe('0.000000001');
    expect(writeDecimal(subtract(decimal('0.5'), decimal('0.75')))).toBe('-0.25');
  });

  test('multiplies exactly', () => {
    expect(writeDecimal(multiply(decimal('2.5'), decimal('0.85')))).toBe('2.125');
    expect(writeDecimal(multiply(decimal('-3'), decimal('0.1')))).toBe('-0.3');
  });

  test('compares values of different lengths', () => {
    expect(compare(decimal('1.10'), decimal('1.1'))).toBe(0);
    expect(compare(decimal('1.100000001'), decimal('1.1'))).toBe(1);
    expect(compare(decimal('-2'), decimal('1'))).toBe(-1);
  });

  test.each([
    ['0.0000000001', '0.000000001'],
    ['0.0000000010', '0.000000001'],
    ['1.2', '1.2'],
    ['1.9999999999', '2'],
  ])('rounds %s up to nanodollars as %s, as a bill does', (text, rounded) => {
    expect(writeDecimal(roundUp(decimal(text), 9))).toBe(rounded);
  });

  test('tells a share of a whole, and never more than all of it', () => {
    expect(shareOf(decimal('2.5'), decimal('10'))).toBe(0.25);
    expect(shareOf(decimal('11'), decimal('10'))).toBe(1);
    expect(shareOf(decimal('-1'), decimal('10'))).toBe(0);
    expect(shareOf(decimal('1'), ZERO)).toBe(0);
  });
});
