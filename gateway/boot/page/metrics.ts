import type { MinterStatus } from '../../data-plane/credentials/credential-minter.ts';
import type { ThreadCounters } from '../../data-plane/threads/messages.ts';
import { MetricsPage, type Labels } from './metrics-page.ts';
import { CHECKED_SETTINGS } from '../../ledger/redis/recovery/check-redis.ts';
import type { StoresStatus } from '../stores/stores-watch.ts';
import type { ContentStatus } from '../../content-log/content-writer.ts';
import type { JobStatus } from '../../platform/telemetry/periodic-jobs.ts';
import type { ThreadStatus } from '../../data-plane/threads/supervisor.ts';

const NANO_USD_PER_USD = 1_000_000_000;
const MS_PER_SECOND = 1_000;

/** The metrics in addition to the threads' counters. */
export interface ProcessMetrics {
  /** The places for HTTP threads. */
  readonly threads: readonly Pick<ThreadStatus, 'state' | 'restarts'>[];
  readonly stores: StoresStatus;
  /**
   * Settled records that wait to reach Postgres; null where the ledger is in Postgres and nothing
   * waits.
   */
  readonly drain: { readonly waiting: number; readonly lagMs: number } | null;
  /** Entries of the request log; null where the process serves no requests. */
  readonly history: {
    readonly written: number;
    readonly summed: number;
    readonly dropped: number;
  } | null;
  /** Null where the process serves no requests. */
  readonly content: ContentStatus | null;
  readonly minting: MinterStatus;
  readonly jobs: readonly Pick<JobStatus, 'name' | 'lastSuccessAtMs' | 'isLate'>[];
}

/**
 * The counters of all HTTP threads, summed, in Prometheus' text format (version 0.0.4). Counters of
 * threads that have ended must be among them, or sums would fall when a thread is replaced.
 * @param counters null where the process serves no requests: zeros would look like a gateway that
 *   no one asks.
 */
export function renderMetrics(
  counters: readonly ThreadCounters[] | null,
  state: ProcessMetrics,
): string {
  const page = new MetricsPage();
  if (counters !== null) {
    renderRequests(page, counters);
    renderThreads(page, state);
  }
  renderProcess(page, state);
  return page.text();
}

function renderRequests(page: MetricsPage, counters: readonly ThreadCounters[]): void {
  const sum = (pick: (thread: ThreadCounters) => number): number =>
    counters.reduce((total, thread) => total + pick(thread), 0);
  page.family('weir_requests_total', 'counter', 'Requests answered, by HTTP status.');
  for (const [status, count] of sumByStatus(counters)) {
    page.sample('weir_requests_total', count, { status });
  }
  page.single(
    'weir_requests_in_flight',
    'gauge',
    'Requests that have not been answered in full.',
    sum(({ inFlight }) => inFlight),
  );
  page.single(
    'weir_input_tokens_total',
    'counter',
    'Prompt tokens billed.',
    sum(({ inputTokens }) => inputTokens),
  );
  page.single(
    'weir_output_tokens_total',
    'counter',
    'Completion tokens billed.',
    sum(({ outputTokens }) => outputTokens),
  );
  page.single(
    'weir_cost_usd_total',
    'counter',
    'Cost of what was billed, US dollars.',
    sum(({ costNanoUsd }) => costNanoUsd) / NANO_USD_PER_USD,
  );
  page.single(
    'weir_uncollected_usd_total',
    'counter',
    'Part of the cost that no balance covered, US dollars.',
    sum(({ uncollectedNanoUsd }) => uncollectedNanoUsd) / NANO_USD_PER_USD,
  );
  page.single(
    'weir_settles_pending',
    'gauge',
    'Settles the ledger has not confirmed yet.',
    sum(({ settlesPending }) => settlesPending),
  );
  renderLatency(page, counters, sum);
  renderChannels(page, counters);
  renderLimits(page, counters);
}

function renderLatency(
  page: MetricsPage,
  counters: readonly ThreadCounters[],
  sum: (pick: (thread: ThreadCounters) => number) => number,
): void {
  const name = 'weir_request_duration_seconds';
  page.family(name, 'histogram', 'Time from a request to the last byte of its reply.');
  const bounds = counters[0]?.latencyMsBuckets.map(({ le }) => le) ?? [];
  for (const [index, le] of bounds.entries()) {
    const count = sum(({ latencyMsBuckets }) => latencyMsBuckets[index]?.count ?? 0);
    page.sample(`${name}_bucket`, count, { le: String(le / MS_PER_SECOND) });
  }
  const requests = sum((thread) => thread.requests);
  page.sample(`${name}_bucket`, requests, { le: '+Inf' });
  page.sample(`${name}_sum`, sum(({ latencyMsSum }) => latencyMsSum) / MS_PER_SECOND, {});
  page.sample(`${name}_count`, requests, {});
}

function renderChannels(page: MetricsPage, counters: readonly ThreadCounters[]): void {
  const channels = new Map<string, { attempts: number; failures: number; open: number }>();
  for (const thread of counters) {
    for (const { channelId, attempts, failures, state } of thread.channels) {
      const known = channels.get(channelId) ?? { attempts: 0, failures: 0, open: 0 };
      known.attempts += attempts;
      known.failures += failures;
      if (state !== 'closed') known.open += 1;
      channels.set(channelId, known);
    }
  }
  page.family('weir_channel_attempts_total', 'counter', 'Upstream attempts, by channel.');
  for (const [channel, { attempts }] of channels) {
    page.sample('weir_channel_attempts_total', attempts, { channel });
  }
  page.family('weir_channel_failures_total', 'counter', 'Upstream attempts that failed.');
  for (const [channel, { failures }] of channels) {
    page.sample('weir_channel_failures_total', failures, { channel });
  }
  page.family('weir_channel_open_threads', 'gauge', 'Threads that avoid the channel just now.');
  for (const [channel, { open }] of channels) {
    page.sample('weir_channel_open_threads', open, { channel });
  }
}

/**
 * Samples for those models alone that are limited: one for each model of each channel would be many
 * and always 0.
 */
function renderLimits(page: MetricsPage, counters: readonly ThreadCounters[]): void {
  const name = 'weir_channel_limited_threads';
  const samples = new Map<string, { readonly labels: Labels; threads: number }>();
  for (const { channelId: channel, limitedModels } of counters.flatMap((c) => c.channels)) {
    for (const { upstreamModel: model } of limitedModels) {
      const id = JSON.stringify([channel, model]);
      const known = samples.get(id) ?? { labels: { channel, model }, threads: 0 };
      known.threads += 1;
      samples.set(id, known);
    }
  }
  page.family(name, 'gauge', 'Threads that spare the channel a model after a 429, by both.');
  for (const { labels, threads } of samples.values()) page.sample(name, threads, labels);
}

function renderThreads(page: MetricsPage, { threads }: ProcessMetrics): void {
  const serving = threads.filter(({ state }) => state === 'serving').length;
  page.single('weir_threads', 'gauge', 'HTTP threads that serve.', serving);
  page.single(
    'weir_thread_restarts_total',
    'counter',
    'HTTP threads replaced after a failure.',
    threads.reduce((sum, { restarts }) => sum + restarts, 0),
  );
}

function renderProcess(page: MetricsPage, state: ProcessMetrics): void {
  page.single(
    'weir_postgres_up',
    'gauge',
    '1 while PostgreSQL answers and takes changes.',
    state.stores.postgresReady ? 1 : 0,
  );
  renderStores(page, state.stores);
  if (state.drain !== null) {
    page.single(
      'weir_usage_waiting_records',
      'gauge',
      'Records not yet in PostgreSQL.',
      state.drain.waiting,
    );
    page.single(
      'weir_usage_lag_seconds',
      'gauge',
      'Age of the oldest such record.',
      state.drain.lagMs / MS_PER_SECOND,
    );
  }
  renderHistory(page, state);
  renderContent(page, state);
  renderMinting(page, state);
  renderJobs(page, state);
  const { rss } = process.memoryUsage();
  page.single('process_resident_memory_bytes', 'gauge', 'Memory of the process.', rss);
  const { user, system } = process.cpuUsage();
  page.single(
    'process_cpu_seconds_total',
    'counter',
    'CPU time of the process.',
    (user + system) / 1_000_000,
  );
  page.single(
    'process_start_time_seconds',
    'gauge',
    'When the process started, Unix time.',
    Math.round(Date.now() / MS_PER_SECOND - process.uptime()),
  );
}

function renderStores(page: MetricsPage, { clocks, redisFaults }: StoresStatus): void {
  const clock = 'weir_clock_difference_seconds';
  page.family(clock, 'gauge', 'The clock of a store less that of this machine, by store.');
  for (const { name, differenceMs } of clocks) {
    page.sample(clock, differenceMs / MS_PER_SECOND, { store: name });
  }
  if (redisFaults === null) return;
  const faults = 'weir_redis_setting_faults';
  page.family(
    faults,
    'gauge',
    'Primaries of Redis on which a setting is wrong (error) or cannot be read (warning).',
  );
  for (const setting of CHECKED_SETTINGS) {
    for (const severity of ['error', 'warning'] as const) {
      const found = redisFaults.filter(
        (fault) => fault.setting === setting && fault.severity === severity,
      );
      page.sample(faults, found.length, { setting, severity });
    }
  }
}

function renderHistory(page: MetricsPage, { history }: ProcessMetrics): void {
  if (history === null) return;
  page.single(
    'weir_request_log_entries_total',
    'counter',
    'Entries of the request log that were written.',
    history.written,
  );
  page.single(
    'weir_request_log_summed_total',
    'counter',
    'Requests without an entry of their own, as too many came.',
    history.summed,
  );
  page.single(
    'weir_request_log_dropped_total',
    'counter',
    'Entries of the request log that are lost.',
    history.dropped,
  );
}

function renderContent(page: MetricsPage, { content }: ProcessMetrics): void {
  if (content === null) return;
  const total = 'weir_content_log_requests_total';
  page.family(total, 'counter', 'Requests of keys with a content log, by what became of theirs.');
  for (const [outcome, count] of Object.entries(content.outcomes)) {
    page.sample(total, count, { outcome });
  }
  page.single(
    'weir_content_log_waiting_bytes',
    'gauge',
    'Content that waits for PostgreSQL.',
    content.waitingBytes,
  );
}

function renderMinting(page: MetricsPage, { minting }: ProcessMetrics): void {
  const { minted, failed, failing } = minting;
  if (minted + failed === 0) return;
  const total = 'weir_token_requests_total';
  page.family(total, 'counter', 'Exchanges of credentials of channels for tokens, by result.');
  page.sample(total, minted, { result: 'succeeded' });
  page.sample(total, failed, { result: 'failed' });
  const now = 'weir_tokens_failing';
  page.family(now, 'gauge', 'Credentials whose last exchange failed, by whether a token is left.');
  for (const isServed of [true, false]) {
    const count = failing.filter((one) => one.isServed === isServed).length;
    page.sample(now, count, { served: String(isServed) });
  }
}

function renderJobs(page: MetricsPage, { jobs }: ProcessMetrics): void {
  if (jobs.length === 0) return;
  const name = 'weir_job_last_success_timestamp_seconds';
  page.family(name, 'gauge', 'When a periodic job of this process succeeded last, Unix time.');
  for (const { name: job, lastSuccessAtMs } of jobs) {
    if (lastSuccessAtMs !== null) page.sample(name, lastSuccessAtMs / MS_PER_SECOND, { job });
  }
  page.family('weir_job_late', 'gauge', '1 while a job has not succeeded for five of its periods.');
  for (const { name: job, isLate } of jobs) page.sample('weir_job_late', isLate ? 1 : 0, { job });
}

/** Statuses in ascending order; 0 is a client that left before it was answered. */
function sumByStatus(counters: readonly ThreadCounters[]): [string, number][] {
  const statuses = new Map<string, number>();
  for (const thread of counters) {
    for (const [status, count] of Object.entries(thread.statuses)) {
      statuses.set(status, (statuses.get(status) ?? 0) + count);
    }
  }
  return [...statuses].sort(([a], [b]) => Number(a) - Number(b));
}
