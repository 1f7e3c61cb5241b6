import type { SubscriptionWindowView } from '@weir/shared/money/subscriptions';
import { expect, it } from 'vitest';
import { balanceForecast, usedUpAt } from './forecast';

const HOUR_MS = 3_600_000;

function forecastOf(availableUsd: string, daysLeft: number | null) {
  const balance = { availableUsd, heldUsd: '0', owedUsd: '0', requestsInFlight: 0 };
  return balanceForecast({ balance, forecast: { perDayUsd: '1', daysLeft } });
}

it('says for how long the balance lasts, and never more than it knows', () => {
  expect(forecastOf('10', 12.9)).toEqual({ kind: 'days', days: 12 });
  expect(forecastOf('10', 0.4)).toEqual({ kind: 'day' });
  expect(forecastOf('10', 4_000)).toEqual({ kind: 'year' });
  expect(forecastOf('10', null)).toEqual({ kind: 'unused' });
  expect(forecastOf('0', null)).toEqual({ kind: 'empty' });
  const forecast = { perDayUsd: '1', daysLeft: null };
  expect(balanceForecast({ balance: null, forecast })).toBeUndefined();
});

it('says when an allowance is used up before it starts over', () => {
  const window: SubscriptionWindowView = {
    ...{ window: 'day', limitUsd: '10', remainingUsd: '0', usedUsd: '0' },
    ...{ startsAt: '2026-03-04T00:00:00.000Z', resetsAt: '2026-03-05T00:00:00.000Z' },
  };
  const noon = Date.parse('2026-03-04T12:00:00.000Z');
  expect(usedUpAt({ ...window, usedUsd: '8' }, noon)).toBe(noon + 3 * HOUR_MS);
  expect(usedUpAt({ ...window, usedUsd: '5' }, noon)).toBeUndefined();
  expect(usedUpAt({ ...window, usedUsd: '0' }, noon)).toBeUndefined();
  expect(usedUpAt({ ...window, usedUsd: '10' }, noon)).toBe(noon);
  // Ten minutes into a day say nothing of it.
  expect(usedUpAt({ ...window, usedUsd: '1' }, noon - 11.8 * HOUR_MS)).toBeUndefined();
});
