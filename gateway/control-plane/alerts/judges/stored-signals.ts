import type { Problem } from '@weir/shared/api/problems';
import type { Database } from '../../api/transaction.ts';
import { freshBalances } from '../../upstream-balances/read-balances.ts';
import type { ChannelSignal, JobSignal, Signals, UpstreamBalance } from './signals.ts';

/** A process whose latest report is older has ended, or is cut off. */
export const LIVE_SECONDS = 60;

/** The report of each process that was the latest so many minutes ago. */
const REPORTS = `
  select distinct on (process_id) process_id as "processId", requests, failures, drain_lag_ms as "drainLagMs", channels,
    jobs, problems, at > now() - make_interval(secs => ${String(LIVE_SECONDS)}) as "isLive"
  from process_reports where at <= now() - make_interval(mins => $1)
  order by process_id, at desc`;

interface Report {
  readonly processId: string;
  readonly requests: number | null;
  readonly failures: number | null;
  readonly drainLagMs: number | null;
  readonly channels: readonly {
    readonly channelId: string;
    readonly attempts: number;
    readonly failures: number;
    readonly state: 'closed' | 'half_open' | 'open';
  }[];
  readonly jobs: readonly JobSignal[];
  readonly problems: readonly Problem[];
  readonly isLive: boolean;
}

/**
 * Signals from what processes report to the database (boot/report-state.ts). Reads each
 * report once.
 */
export class StoredSignals implements Signals {
  readonly #db: Database;
  readonly #reports = new Map<number, Promise<readonly Report[]>>();

  constructor(db: Database) {
    this.#db = db;
  }

  #reportsOf(minutesAgo: number): Promise<readonly Report[]> {
    const known = this.#reports.get(minutesAgo);
    if (known !== undefined) return known;
    const read = this.#db.query<Report>(REPORTS, [minutesAgo]).then(({ rows }) => rows);
    this.#reports.set(minutesAgo, read);
    return read;
  }

  async #live(): Promise<readonly Report[]> {
    return (await this.#reportsOf(0)).filter(({ isLive }) => isLive);
  }

  /**
   * Each process with what it had counted when the window began. One that had not reported by then
   * began within the window, and had counted nothing.
   */
  async #windows(
    windowMinutes: number,
  ): Promise<readonly { readonly now: Report; readonly then: Report | undefined }[]> {
    const before = new Map(
      (await this.#reportsOf(windowMinutes)).map((report) => [report.processId, report]),
    );
    return (await this.#reportsOf(0)).map((now) => ({ now, then: before.get(now.processId) }));
  }

  async requests(
    windowMinutes: number,
  ): Promise<{ readonly requests: number; readonly failures: number }> {
    const sum = { requests: 0, failures: 0 };
    for (const { now, then } of await this.#windows(windowMinutes)) {
      sum.requests += (now.requests ?? 0) - (then?.requests ?? 0);
      sum.failures += (now.failures ?? 0) - (then?.failures ?? 0);
    }
    return sum;
  }

  async channels(windowMinutes: number): Promise<readonly ChannelSignal[]> {
    const sums = new Map<string, ChannelSignal>();
    for (const { now, then } of await this.#windows(windowMinutes)) {
      const before = new Map(then?.channels.map((channel) => [channel.channelId, channel]));
      for (const { channelId, attempts, failures, state } of now.channels) {
        const known = sums.get(channelId);
        const counted = before.get(channelId);
        sums.set(channelId, {
          channelId,
          attempts: (known?.attempts ?? 0) + attempts - (counted?.attempts ?? 0),
          failures: (known?.failures ?? 0) + failures - (counted?.failures ?? 0),
          isOpen: known?.isOpen === true || (now.isLive && state === 'open'),
        });
      }
    }
    return [...sums.values()];
  }

  async drainLagMs(): Promise<number | null> {
    const lags = (await this.#live()).flatMap(({ drainLagMs }) => drainLagMs ?? []);
    return lags.length === 0 ? null : Math.max(...lags);
  }

  /** Each process runs all jobs, one at a time, so it is enough that one of them does. */
  async jobs(): Promise<readonly JobSignal[]> {
    const byName = new Map<string, JobSignal>();
    for (const { name, isLate, lastFailure } of (await this.#live()).flatMap(({ jobs }) => jobs)) {
      const known = byName.get(name);
      byName.set(name, {
        name,
        isLate: isLate && known?.isLate !== false,
        lastFailure: lastFailure ?? known?.lastFailure ?? null,
      });
    }
    return [...byName.values()];
  }

  async problems(): Promise<readonly Problem[]> {
    return (await this.#live()).flatMap(({ problems }) => problems);
  }

  upstreamBalances(): Promise<readonly UpstreamBalance[]> {
    return freshBalances(this.#db);
  }
}
