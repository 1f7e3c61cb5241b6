import { expect, it } from 'vitest';
import {
  mergeOutcomes,
  NO_OUTCOMES,
} from '../../../gateway/data-plane/routing/health/channel-outcomes.ts';
import { worstStates } from '../../../gateway/boot/watch-channels.ts';
import type { ThreadCounters } from '../../../gateway/data-plane/threads/messages.ts';

type State = ThreadCounters['channels'][number]['state'];

function thread(channels: Record<string, State>): ThreadCounters {
  return {
    requests: 0,
    inFlight: 0,
    statuses: {},
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
    uncollectedNanoUsd: 0,
    settlesPending: 0,
    latencyMsBuckets: [],
    latencyMsSum: 0,
    channels: Object.entries(channels).map(([channelId, state]) => ({
      channelId,
      state,
      retryAtMs: null,
      limitedModels: [],
      outcomes: NO_OUTCOMES,
      attempts: 1,
      failures: 0,
    })),
  };
}

it('calls a channel as bad as the worst that a thread thinks of it', () => {
  const states = worstStates([
    thread({ a: 'closed', b: 'open', c: 'half_open' }),
    thread({ a: 'closed', b: 'half_open', c: 'closed', d: 'open' }),
  ]);
  expect(Object.fromEntries(states.map(({ channelId, state }) => [channelId, state]))).toEqual({
    a: 'closed',
    b: 'open',
    c: 'half_open',
    d: 'open',
  });
});

it('tells when a channel that rests, or a model that is limited, can be tried again', () => {
  const seen = { channelId: 'a', attempts: 1, failures: 1, outcomes: NO_OUTCOMES } as const;
  const limited = (upstreamModel: string, untilMs: number) =>
    ({ upstreamModel, untilMs, reason: 'limited' }) as const;
  expect(
    worstStates([
      {
        ...thread({}),
        channels: [
          {
            ...seen,
            state: 'closed',
            retryAtMs: null,
            limitedModels: [limited('m', 7), limited('n', 8)],
          },
        ],
      },
      {
        ...thread({}),
        channels: [{ ...seen, state: 'open', retryAtMs: 5, limitedModels: [limited('m', 9)] }],
      },
    ]),
  ).toEqual([
    {
      channelId: 'a',
      state: 'open',
      retryAtMs: 5,
      limitedModels: [limited('m', 9), limited('n', 8)],
      outcomes: NO_OUTCOMES,
    },
  ]);
});

it('counts failures in a row over all threads, and forgets those before a success of any', () => {
  const cuda = { httpStatus: 502, message: 'CUDA out of memory' };
  const reset = { httpStatus: null, message: 'connection reset' };
  const one = { lastSuccessAtMs: 10, failedAtMs: [20, 40], lastFailure: cuda };
  const other = { lastSuccessAtMs: 25, failedAtMs: [30, 50], lastFailure: reset };
  const merged = { lastSuccessAtMs: 25, failedAtMs: [30, 40, 50], lastFailure: reset };
  expect(mergeOutcomes(one, other)).toEqual(merged);
  expect(mergeOutcomes(other, one)).toEqual(merged);
  expect(mergeOutcomes(one, { ...NO_OUTCOMES, lastSuccessAtMs: 60 })).toEqual({
    ...NO_OUTCOMES,
    lastSuccessAtMs: 60,
  });
  expect(mergeOutcomes(NO_OUTCOMES, one)).toEqual(one);
});
