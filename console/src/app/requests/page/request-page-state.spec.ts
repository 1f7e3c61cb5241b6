import { expect, it } from 'vitest';
import type { ApiPort } from '../../core/api/call-input';
import { ApiFailure } from '../../core/api/api-failure';
import { RequestPageState } from './request-page-state';

const ID = '01a1fd85-7715-7fed-a767-b935f6226f94';
/** The time in the id. */
const SENT_MS = Number.parseInt('01a1fd857715', 16);

/** An API that has these replies by route; what is not there is not found. */
function pageOf(
  replies: Record<string, unknown>,
  options: { isOperator?: boolean; ageMs?: number },
) {
  const asked: string[] = [];
  const call = (route: string): Promise<unknown> => {
    asked.push(route);
    const reply = replies[route];
    if (reply === undefined) return Promise.reject(new ApiFailure({ code: 'not_found' }));
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  };
  const { isOperator = false, ageMs = 0 } = options;
  const api = { call } as Partial<ApiPort> as ApiPort;
  return {
    asked,
    state: new RequestPageState(api, ID, { isOperator, now: () => SENT_MS + ageMs }),
  };
}

it('reads everyone’s request for an operator, and one’s own for a customer', async () => {
  for (const isOperator of [true, false]) {
    const { asked, state } = pageOf({}, { isOperator });
    await state.load();
    expect(asked).toEqual(
      isOperator ? ['getRequest', 'getUsageRecord'] : ['getOwnRequest', 'getOwnUsageRecord'],
    );
  }
});

it('expects a request that was just sent, and none that was sent long ago', async () => {
  const { state } = pageOf({}, { ageMs: 5_000 });
  await state.load();
  expect([state.isMissing(), state.isExpected()]).toEqual([true, true]);
  const old = pageOf({}, { ageMs: 600_000 }).state;
  await old.load();
  expect([old.isMissing(), old.isExpected()]).toEqual([true, false]);
});

it('looks again for a bill that is on its way, and not for one that will not come', async () => {
  const replies: Record<string, unknown> = { getOwnRequest: { costUsd: '0.002' } };
  const { state, asked } = pageOf(replies, { ageMs: 1_000 });
  await state.load();
  expect(state.isExpected()).toBe(true);
  replies['getOwnUsageRecord'] = { costUsd: '0.002' };
  await state.lookAgain();
  expect([state.isExpected(), asked.at(-1)]).toEqual([false, 'getOwnUsageRecord']);
  const free = pageOf({ getOwnRequest: { costUsd: '0' } }, { ageMs: 1_000 }).state;
  await free.load();
  expect(free.isExpected()).toBe(false);
});

it('shows a bill whose request the log has dropped, and a failure that is no absence', async () => {
  const { state } = pageOf({ getOwnUsageRecord: { costUsd: '1' } }, { ageMs: 1e9 });
  await state.load();
  expect([state.isMissing(), state.request.value(), state.failure()]).toEqual([
    false,
    null,
    undefined,
  ]);
  const broken = pageOf({ getOwnRequest: new ApiFailure({ code: 'internal_error' }) }, {}).state;
  await broken.load();
  expect(broken.failure()?.code).toBe('internal_error');
});
