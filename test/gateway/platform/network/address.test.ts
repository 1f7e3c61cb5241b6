import { describe, expect, it } from 'vitest';
import {
  isAddressRange,
  networkOf,
  readAddress,
} from '../../../../gateway/platform/network/address.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ])('%s is %s', (text, address) => {
    expect(readAddress(text)?.toString()).toBe(address);
  });

  it.each(['', 'unknown', '_hidden', '10', '0x7f.1', '203.0.113', '203.0.113.7:', '203.0.113.7:x'])(
    '%j is none',
    (text) => {
      expect(readAddress(text)).toBeUndefined();
    },
  );
});

it('counts as one network however often its port changes, and nothing else as a new one', () => {
  expect(networkOf('203.0.113.7:1')).toBe(networkOf('203.0.113.7:2'));
  expect(networkOf('[2001:db8:1:2::1]:1')).toBe(networkOf('2001:db8:1:2:ffff::2'));
  expect(networkOf('203.0.113.7')).not.toBe(networkOf('203.0.113.8'));
  expect(networkOf('made up')).toBe(networkOf('made up, too'));
});

it.each([
  ['203.0.113.7', true],
  ['203.0.113.0/24', true],
  ['2001:db8::/32', true],
  ['10/8', false],
  ['203.0.113.0/33', false],
  ['203.0.113.7:80', false],
  ['203.0.113.0/24/8', false],
])('an allowlist with %s: %s', (text, isRange) => {
  expect(isAddressRange(text)).toBe(isRange);
});
