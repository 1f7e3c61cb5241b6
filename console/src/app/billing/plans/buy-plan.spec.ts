import { signal } from '@angular/core';
import { expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import * as views from '../../../testing/views';
import { wordsIn } from '../../../testing/words';
import { ApiFailure } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
import { OperationKeys } from '../../core/state/operation-keys';
import { BuyPlan, refusalWords } from './buy-plan';

test('A plan whose purchase had been done by a try whose answer was lost is not said to be bought again', async () => {
  const api = new FakeApi({
    buySubscription: () => Promise.reject(new ApiFailure({ code: 'unreachable' })),
  });
  const keys = new OperationKeys();
  const buy = async (): Promise<string | undefined> =>
    (await new BuyPlan(api, keys, views.plan).submit())?.kind;
  expect(await buy()).toBeUndefined();
  api.answer({ buySubscription: () => views.subscription });
  api.before = true;
  expect(await buy()).toBe('bought_before');
  api.before = false;
  expect(await buy()).toBe('running');
  const [lost, repeated, meant] = api.callsOf('buySubscription').map((call) => call.idempotencyKey);
  expect(repeated).toBe(lost);
  expect(meant).not.toBe(lost);
});

test('Who buys without the money for it is told what the plan costs, not that a request is not covered', async () => {
  const { t } = await wordsIn();
  const words = (code: 'insufficient_balance' | 'plan_unavailable'): string =>
    refusalWords(
      new ApiFailure({ code, detail: 'The balance does not cover this request.' }),
      views.plan,
      {
        t,
        formatter: new Formatter(signal('en' as const)),
      },
    );
  expect(words('insufficient_balance')).toBe(
    'Pro costs $20.00: more than the balance. Top up first.',
  );
  expect(words('plan_unavailable')).toBe('');
});
