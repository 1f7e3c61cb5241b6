import { expect, it } from 'vitest';
import { worstStates } from '../../../../gateway/platform/boot/watch-channels.ts';
import type { ThreadCounters } from '../../../../gateway/data-plane/threads/messages.ts';

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
  const seen = { channelId: 'a', attempts: 1, failures: 1 } as const;
  const limited = (upstreamModel: string, untilMs: number) => ({ upstreamModel, untilMs });
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
    },
  ]);
});
