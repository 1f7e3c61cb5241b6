import { expect, test } from 'vitest';
import { entryAmount } from './entry-amount';

test('Money that an act moved is told with its sign', () => {
  const credit = (amountUsd: string) =>
    entryAmount({ action: 'createCredit', before: null, after: { amountUsd } });
  expect([credit('5'), credit('-5.25')]).toEqual(['5', '-5.25']);
  const refund = { before: { refundedUsd: '2' }, after: { refundedUsd: '5.5' } };
  expect(entryAmount({ action: 'refundOrder', ...refund })).toBe('-3.5');
  expect(entryAmount({ action: 'updateGroup', before: null, after: {} })).toBeUndefined();
});
