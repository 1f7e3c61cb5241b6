import type { Overview } from '@weir/shared/watch/overview';
import { expect, it } from 'vitest';
import { isDemoActive, needsOf } from './needs';

type Channel = Overview['channels'][number];

const WORDS = { amount: (balance: string, currency: string) => `${balance} ${currency}` };
const TREND = { value: null, weekBefore: null, points: [] };
const MONEY = { value: '0', weekBefore: null, points: [] };

function channel(id: string, changes: Partial<Channel> = {}): Channel {
  const counts = { requests: 0, failures: 0 };
  return {
    ...{ id, name: id, kind: 'openai', status: 'active' },
    state: 'healthy',
    ...counts,
    ...changes,
  };
}

function overview(changes: Partial<Overview> = {}): Overview {
  return {
    at: '2026-01-01T00:00:00.000Z',
    traffic: {
      ...{ windowSeconds: 60, requests: 0, requestsPerSecond: 0, failures: 0 },
      ...{ latencyMsP50: null, latencyMsP95: null, firstByteMsP50: null },
    },
    spend: { todayUsd: '0', monthUsd: '0', uncollectedMonthUsd: '0', creditsMonthUsd: '0' },
    accounts: { total: 1, activeToday: 0, suspended: 0 },
    trends: {
      ...{ from: '2026-01-01T00:00:00.000Z', hasWeekBefore: false },
      ...{ requests: TREND, failed: TREND, errorPercent: TREND, firstByteMsP50: TREND },
      ...{ streamTokensPerSecond: TREND, spend: MONEY, marginPercent: TREND, credits: MONEY },
      activeAccounts: TREND,
    },
    needs: { alerts: [], lowBalances: [], openRefunds: 0, disputedOrders: 0 },
    channels: [channel('a')],
    problems: [],
    ledger: { reachable: true, error: null },
    drain: null,
    threads: [],
    jobs: [],
    ...changes,
  };
}

const texts = (changes: Partial<Overview>) =>
  needsOf(overview(changes), WORDS).map(({ text, subject }) => [text, subject]);

it('is calm when there is nothing', () => {
  expect(texts({})).toEqual([]);
});

it('leads to the channel that fails, and says so once although an alert says it too', () => {
  const alert = { ruleId: 'r', ruleName: 'channels', name: 'b', since: '2026-01-01T00:00:00.000Z' };
  const changes: Partial<Overview> = {
    channels: [
      channel('a'),
      channel('b', { state: 'open' }),
      channel('c', { status: 'disabled', state: 'open' }),
    ],
    needs: {
      alerts: [
        { ...alert, kind: 'channel_failing', subject: 'b' },
        { ...alert, kind: 'error_rate', subject: 'requests', name: '' },
      ],
      ...{ lowBalances: [], openRefunds: 0, disputedOrders: 0 },
    },
  };
  expect(texts(changes)).toEqual([
    ['need.channelOpen', 'b'],
    ['need.alert', 'channels'],
  ]);
  expect(needsOf(overview(changes), WORDS)[0]?.link).toEqual(['/admin/channels', 'b']);
});

it('names late jobs, low balances, open refunds and disputed orders', () => {
  const job = { name: 'clean up', lastSuccessAt: null, late: true, lastFailure: 'no disk' };
  const low = { channelId: 'a', channelName: 'a', balance: '2', currency: 'USD' } as const;
  expect(
    texts({
      jobs: [job],
      needs: { alerts: [], lowBalances: [low], openRefunds: 2, disputedOrders: 1 },
    }),
  ).toEqual([
    ['need.job', 'clean up: no disk'],
    ['need.balance', 'a: 2 USD'],
    ['need.refunds', '2'],
    ['need.disputes', '1'],
  ]);
});

it('warns as long as the demo channel is active, and when no channel is', () => {
  expect(texts({ channels: [channel('a'), channel('d', { kind: 'demo' })] })).toEqual([
    ['overview.troubleDemo', ''],
  ]);
  expect(texts({ channels: [channel('d', { kind: 'demo', status: 'disabled' })] })).toEqual([
    ['need.noChannel', ''],
  ]);
  expect(isDemoActive([channel('a')])).toBe(false);
});
