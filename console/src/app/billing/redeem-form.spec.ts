import { expect, test } from 'vitest';
import { FakeApi } from '../../testing/fake-api';
import { NOW } from '../../testing/views';
import { ApiFailure } from '../core/api/api-failure';
import { RedeemForm } from './redeem-form';

test('What a code brought is not shown next to the refusal of the next one', async () => {
  const api = new FakeApi({
    redeemCode: () => ({
      kind: 'balance',
      amountUsd: '20',
      group: null,
      subscription: null,
      redeemedAt: NOW,
    }),
  });
  const form = new RedeemForm(api);
  expect(await form.submit()).toBe(true);
  expect(form.redeemed()?.amountUsd).toBe('20');
  api.answer({
    redeemCode: () => Promise.reject(new ApiFailure({ code: 'code_unknown', status: 404 })),
  });
  expect(await form.submit()).toBe(false);
  expect([form.redeemed(), form.action.failure()?.code]).toEqual([undefined, 'code_unknown']);
});
