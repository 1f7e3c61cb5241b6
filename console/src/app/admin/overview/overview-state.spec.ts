import type { Overview } from '@weir/shared/overview';
import { expect, it } from 'vitest';
import { isDemoActive, troubles } from './overview-state';

type Channel = Overview['channels'][number];

function channel(kind: Channel['kind'], status: Channel['status']): Channel {
  return { id: kind, name: kind, kind, status, state: 'healthy', requests: 0, failures: 0 };
}

function overview(channels: Channel[]): Overview {
  return {
    at: '2026-01-01T00:00:00.000Z',
    traffic: {
      windowSeconds: 60,
      requests: 0,
      requestsPerSecond: 0,
      failures: 0,
      latencyMsP50: null,
      latencyMsP95: null,
      firstByteMsP50: null,
    },
    spend: { todayUsd: '0', monthUsd: '0', uncollectedMonthUsd: '0', creditsMonthUsd: '0' },
    accounts: { total: 1, activeToday: 0, suspended: 0 },
    channels,
    problems: [],
    ledger: { reachable: true, error: null },
    drain: null,
    threads: [],
    jobs: [],
  };
}

it('warns as long as the demo channel is active', () => {
  const real = channel('openai', 'active');
  expect(troubles(overview([real, channel('demo', 'active')]))).toEqual(['overview.troubleDemo']);
  expect(troubles(overview([real, channel('demo', 'disabled')]))).toEqual([]);
  expect(isDemoActive([real])).toBe(false);
});
