import fc from 'fast-check';
import { expect, it } from 'vitest';
import { includedTaxCents } from '../../../../gateway/control-plane/invoices/included-tax.ts';

const CENTS_MAX = 900_719_925;

it.each([
  [2_500, 190_000, 399],
  [2_500, 70_000, 164],
  [1, 190_000, 0],
  [10_000, 0, 0],
  [3, 1_000_000, 2],
])('%i cents at %i ppm include %i cents of tax', (gross, rate, tax) => {
  expect(includedTaxCents(gross, rate)).toBe(tax);
});

it('the tax is the rate of the rest, to half a cent, for every amount and rate', () => {
  const amount = fc.integer({ min: 1, max: CENTS_MAX });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 1_000_000 }), (gross, rate) => {
      const tax = BigInt(includedTaxCents(gross, rate));
      // Twice the distance to the exact tax, times its divisor.
      const whole = 1_000_000n + BigInt(rate);
      const distance = 2n * (tax * whole - BigInt(gross) * BigInt(rate));
      expect(distance).toBeGreaterThan(-whole);
      expect(distance).toBeLessThanOrEqual(whole);
      expect(tax).toBeLessThanOrEqual(BigInt(gross));
    }),
  );
});
