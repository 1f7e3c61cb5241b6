import { expect, test } from 'vitest';
import { showBytes } from './show-bytes';

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [8_192, '8.19 kB'],
  [1_000_000, '1 MB'],
  [123_456_789, '123 MB'],
  [7_250_000_000, '7.25 GB'],
  [3_000_000_000_000_000, '3,000 TB'],
])('%i bytes are %s', (bytes, words) => expect(showBytes(bytes, 'en')).toBe(words));
