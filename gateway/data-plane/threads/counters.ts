import type { RequestSummary } from '../../platform/telemetry/request-log.ts';
import type { HealthReport } from '../routing/health/health-report.ts';
import type { ThreadCounters } from './messages.ts';

/** Upper bounds of the latency histogram, milliseconds. */
const LATENCY_MS_BOUNDS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
];

/** The totals of one thread since its start. Counting a request costs a few additions. */
export class Counters {
  #requests = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #costNanoUsd = 0;
  #latencyMsSum = 0;
  readonly #statuses = new Map<number, number>();
  readonly #latencies = new Array<number>(LATENCY_MS_BOUNDS.length + 1).fill(0);
  readonly #channels = new Map<string, { attempts: number; failures: number }>();

  /** @param nowMs on the steady clock */
  finished(request: RequestSummary, nowMs: number): void {
    this.#requests += 1;
    this.#statuses.set(request.httpStatus, (this.#statuses.get(request.httpStatus) ?? 0) + 1);
    if (request.tokens !== null) {
      this.#inputTokens += request.tokens.input;
      this.#outputTokens += request.tokens.output;
      this.#costNanoUsd += request.costNanoUsd;
    }
    const latencyMs = nowMs - request.startedAtMs;
    this.#latencyMsSum += latencyMs;
    let bucket = 0;
    while (latencyMs > (LATENCY_MS_BOUNDS[bucket] ?? Infinity)) bucket += 1;
    this.#latencies[bucket] = (this.#latencies[bucket] ?? 0) + 1;
  }

  attempted(channelId: string, failed: boolean): void {
    let channel = this.#channels.get(channelId);
    if (channel === undefined) {
      channel = { attempts: 0, failures: 0 };
      this.#channels.set(channelId, channel);
    }
    channel.attempts += 1;
    if (failed) channel.failures += 1;
  }

  read(now: {
    readonly inFlight: number;
    readonly settlesPending: number;
    readonly uncollectedNanoUsd: number;
    readonly channelHealth: (channelId: string) => HealthReport;
  }): ThreadCounters {
    let cumulative = 0;
    return {
      requests: this.#requests,
      inFlight: now.inFlight,
      statuses: Object.fromEntries(this.#statuses),
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      costNanoUsd: this.#costNanoUsd,
      uncollectedNanoUsd: now.uncollectedNanoUsd,
      settlesPending: now.settlesPending,
      latencyMsBuckets: LATENCY_MS_BOUNDS.map((le, index) => {
        cumulative += this.#latencies[index] ?? 0;
        return { le, count: cumulative };
      }),
      latencyMsSum: this.#latencyMsSum,
      channels: [...this.#channels].map(([channelId, counted]) => ({
        channelId,
        ...now.channelHealth(channelId),
        ...counted,
      })),
    };
  }
}
