/** Finds the price in force among an account's dated ones. */
import { expect, it } from 'vitest';
import fc from 'fast-check';
import {
  accountPriceNow,
  accountPricesOf,
  type AccountPrice,
} from '../../../gateway/catalog/account-prices.ts';
import { databaseNowMs } from '../../../gateway/platform/clock/store-clock.ts';

const HOUR_MS = 3_600_000;

/** Recognised by the price of a call. */
function priceOf(perCallNanoUsd: number) {
  return {
    prices: {
      inputNanoUsd: 1,
      cachedInputNanoUsd: 1,
      cacheWriteNanoUsd: 1,
      outputNanoUsd: 1,
      perCallNanoUsd,
    },
    longContext: null,
  };
}

it('an account without prices of its own has nothing to look up', () => {
  expect(accountPricesOf([])).toBeNull();
});

it('the price that began last is in force, in whatever order they come; null is no price', () => {
  const entry = fc.record({
    modelId: fc.constantFrom('one', 'two'),
    // Hours from now, so that no price begins while the test runs.
    hours: fc.integer({ min: -5, max: 5 }).filter((hours) => hours !== 0),
    isEnd: fc.boolean(),
  });
  const entries = fc.uniqueArray(entry, {
    selector: ({ modelId, hours }) => `${modelId} ${String(hours)}`,
    minLength: 1,
  });
  fc.assert(
    fc.property(entries, (drawn) => {
      const nowMs = databaseNowMs();
      const prices = drawn.map(({ modelId, hours, isEnd }): AccountPrice => ({
        modelId,
        fromMs: nowMs + hours * HOUR_MS,
        prices: isEnd ? null : priceOf(hours + 10),
      }));
      const indexed = accountPricesOf(prices);
      for (const modelId of ['one', 'two', 'three']) {
        const begun = drawn.filter((one) => one.modelId === modelId && one.hours < 0);
        const last = begun.toSorted((one, other) => other.hours - one.hours)[0];
        const expected = last === undefined || last.isEnd ? undefined : last.hours + 10;
        const found = indexed && accountPriceNow(indexed, modelId);
        expect(found?.prices.perCallNanoUsd).toBe(expected);
      }
    }),
  );
});
