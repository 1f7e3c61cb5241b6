import { expect, it } from 'vitest';
import { renderMetrics, type ProcessMetrics } from '../../../gateway/boot/page/metrics.ts';
import type { ThreadCounters } from '../../../gateway/data-plane/threads/messages.ts';

const PROCESS: ProcessMetrics = {
  threads: [
    { state: 'serving', restarts: 0 },
    { state: 'restarting', restarts: 1 },
  ],
  stores: {
    postgresReady: true,
    clocks: [{ name: 'PostgreSQL', differenceMs: -93_600_000 }],
    redisFaults: [{ setting: 'appendonly', severity: 'error', message: 'none' }],
  },
  drain: { waiting: 5, lagMs: 2_500 },
  history: { written: 70, summed: 8, dropped: 1 },
  content: {
    outcomes: { kept: 5, queue_full: 1, quota_reached: 2, lost: 0 },
    waitingBytes: 12,
  },
  minting: { minted: 0, failed: 0, failing: [] },
  jobs: [],
};

const NO_STORES = { postgresReady: true, clocks: [], redisFaults: null };

function counters(changes: Partial<ThreadCounters>): ThreadCounters {
  return {
    requests: 0,
    inFlight: 0,
    statuses: {},
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
    uncollectedNanoUsd: 0,
    settlesPending: 0,
    latencyMsBuckets: [
      { le: 5, count: 0 },
      { le: 100, count: 0 },
    ],
    latencyMsSum: 0,
    channels: [],
    ...changes,
  };
}

/** Samples by name and labels. */
function samples(text: string): Record<string, number> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.lastIndexOf(' ');
        return [line.slice(0, space), Number(line.slice(space + 1))];
      }),
  );
}

it('sums the threads, in base units', () => {
  const text = renderMetrics(
    [
      counters({
        requests: 3,
        inFlight: 1,
        statuses: { 200: 2, 402: 1 },
        inputTokens: 10,
        costNanoUsd: 1_500_000_000,
        uncollectedNanoUsd: 250_000_000,
        latencyMsBuckets: [
          { le: 5, count: 1 },
          { le: 100, count: 3 },
        ],
        latencyMsSum: 120,
      }),
      counters({
        requests: 1,
        statuses: { 200: 1 },
        inputTokens: 5,
        costNanoUsd: 1,
        uncollectedNanoUsd: 1,
        latencyMsBuckets: [
          { le: 5, count: 0 },
          { le: 100, count: 0 },
        ],
        latencyMsSum: 380,
      }),
    ],
    PROCESS,
  );
  expect(samples(text)).toMatchObject({
    'weir_requests_total{status="200"}': 3,
    'weir_requests_total{status="402"}': 1,
    weir_requests_in_flight: 1,
    weir_input_tokens_total: 15,
    weir_cost_usd_total: 1.500000001,
    weir_uncollected_usd_total: 0.250000001,
    'weir_request_duration_seconds_bucket{le="0.005"}': 1,
    'weir_request_duration_seconds_bucket{le="0.1"}': 3,
    'weir_request_duration_seconds_bucket{le="+Inf"}': 4,
    weir_request_duration_seconds_sum: 0.5,
    weir_request_duration_seconds_count: 4,
    weir_threads: 1,
    weir_thread_restarts_total: 1,
    weir_postgres_up: 1,
    'weir_clock_difference_seconds{store="PostgreSQL"}': -93_600,
    'weir_redis_setting_faults{setting="appendonly",severity="error"}': 1,
    'weir_redis_setting_faults{setting="appendonly",severity="warning"}': 0,
    weir_usage_waiting_records: 5,
    weir_usage_lag_seconds: 2.5,
    weir_request_log_entries_total: 70,
    weir_request_log_summed_total: 8,
    weir_request_log_dropped_total: 1,
  });
});

it('tells for each channel how often it failed and how many threads avoid it', () => {
  const outcomes = { lastSuccessAtMs: null, failedAtMs: [], lastFailure: null };
  const channel = { channelId: 'a"b', attempts: 4, failures: 3, retryAtMs: null, outcomes };
  const limitedModels = [{ upstreamModel: 'm', untilMs: 1, reason: 'limited' } as const];
  const text = renderMetrics(
    [
      counters({ channels: [{ ...channel, state: 'open', limitedModels: [] }] }),
      counters({ channels: [{ ...channel, state: 'closed', limitedModels }] }),
    ],
    PROCESS,
  );
  expect(samples(text)).toMatchObject({
    'weir_channel_attempts_total{channel="a\\"b"}': 8,
    'weir_channel_failures_total{channel="a\\"b"}': 6,
    'weir_channel_open_threads{channel="a\\"b"}': 1,
    'weir_channel_limited_threads{channel="a\\"b",model="m"}': 1,
  });
});

it('is the exposition format: each family announced once, before its samples', () => {
  const text = renderMetrics([counters({ requests: 1, statuses: { 200: 1 } })], PROCESS);
  expect(text.endsWith('\n')).toBe(true);
  const announced = new Set<string>();
  for (const line of text.trimEnd().split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (type?.[1] !== undefined) {
      expect(announced).not.toContain(type[1]);
      announced.add(type[1]);
      if (type[2] === 'counter') expect(type[1]).toMatch(/_total$/);
    } else if (!line.startsWith('# HELP ')) {
      const [name = ''] = /^[a-z_]+/.exec(line) ?? [];
      expect(announced).toContain(name.replace(/_(bucket|sum|count)$/, ''));
      expect(line).toMatch(/^[a-z_]+(\{[a-z]+="[^\n]*"\})? [-+0-9.e]+$/);
    }
  }
});

it('says nothing of a drain where there is none', () => {
  expect(renderMetrics([], { ...PROCESS, drain: null })).not.toContain('weir_usage');
});

it('says nothing of requests where none are served', () => {
  const names = Object.keys(
    samples(
      renderMetrics(null, {
        ...{ ...PROCESS, threads: [], history: null, content: null, stores: NO_STORES },
      }),
    ),
  );
  expect(names.filter((name) => !name.startsWith('process_'))).toEqual([
    'weir_postgres_up',
    'weir_usage_waiting_records',
    'weir_usage_lag_seconds',
  ]);
});

it('tells when each periodic job succeeded last, and which is late', () => {
  const jobs = [
    { name: 'renew subscriptions', lastSuccessAtMs: 1_700_000_000_500, isLate: false },
    { name: 'clean up', lastSuccessAtMs: null, isLate: true },
  ];
  const found = samples(renderMetrics(null, { ...PROCESS, jobs }));
  expect(found).toMatchObject({
    'weir_job_last_success_timestamp_seconds{job="renew subscriptions"}': 1_700_000_000.5,
    'weir_job_late{job="renew subscriptions"}': 0,
    'weir_job_late{job="clean up"}': 1,
  });
});

it('counts the exchanges of credentials, and those that fail now', () => {
  const failing = [{ channel: 'Vertex', failure: 'refused', isServed: true }];
  const found = samples(
    renderMetrics(null, { ...PROCESS, minting: { minted: 3, failed: 2, failing } }),
  );
  expect(found).toMatchObject({
    'weir_token_requests_total{result="succeeded"}': 3,
    'weir_token_requests_total{result="failed"}': 2,
    'weir_tokens_failing{served="true"}': 1,
    'weir_tokens_failing{served="false"}': 0,
  });
});
