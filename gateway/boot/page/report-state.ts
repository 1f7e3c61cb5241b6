import type pg from 'pg';
import type { Problem } from '@weir/shared/api/problems';
import type { ThreadCounters } from '../../data-plane/threads/messages.ts';
import type { JobStatus, PeriodicJobs } from '../../platform/telemetry/periodic-jobs.ts';

const EVERY_MS = 15_000;
const FAILURE_STATUS_MIN = 500;

const INSERT = `
  insert into process_reports (process_id, requests, failures, drain_lag_ms, channels, jobs, problems)
  values ($1, $2, $3, $4, $5, $6, $7)`;

/** The state that a process reports of itself. */
interface ReportedState {
  /** Null where the process serves no requests. */
  readonly counters: (() => Promise<readonly ThreadCounters[]>) | null;
  /** Null where the process drains nothing. */
  readonly drain: (() => { readonly lagMs: number }) | null;
  readonly jobs: () => readonly Pick<JobStatus, 'name' | 'isLate' | 'lastFailure'>[];
  readonly problems: () => readonly Problem[];
}

interface ChannelReport {
  readonly channelId: string;
  attempts: number;
  failures: number;
  state: ThreadCounters['channels'][number]['state'];
}

const SEVERITY = { closed: 0, half_open: 1, open: 2 } as const;

function channelsOf(counters: readonly ThreadCounters[]): ChannelReport[] {
  const byId = new Map<string, ChannelReport>();
  for (const { channelId, attempts, failures, state } of counters.flatMap((c) => c.channels)) {
    const known = byId.get(channelId);
    if (known === undefined) {
      byId.set(channelId, { channelId, attempts, failures, state });
      continue;
    }
    known.attempts += attempts;
    known.failures += failures;
    if (SEVERITY[state] > SEVERITY[known.state]) known.state = state;
  }
  return [...byId.values()];
}

function failuresOf({ statuses }: ThreadCounters): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (Number(status) >= FAILURE_STATUS_MIN ? sum + count : sum),
    0,
  );
}

/** Writes one row of what the process has counted since it began. */
export async function reportState(
  pool: Pick<pg.Pool, 'query'>,
  processId: string,
  state: ReportedState,
): Promise<void> {
  const counters = state.counters === null ? null : await state.counters();
  const sum = (pick: (thread: ThreadCounters) => number): number | null =>
    counters === null ? null : counters.reduce((total, thread) => total + pick(thread), 0);
  await pool.query(INSERT, [
    processId,
    sum(({ requests }) => requests),
    sum(failuresOf),
    state.drain?.().lagMs ?? null,
    JSON.stringify(channelsOf(counters ?? [])),
    JSON.stringify(
      state.jobs().map(({ name, isLate, lastFailure }) => ({ name, isLate, lastFailure })),
    ),
    JSON.stringify(state.problems()),
  ]);
}

/** Reports the state of this process to the database, where alerts are judged for all processes. */
export function startReports(
  pool: Pick<pg.Pool, 'query'>,
  jobs: PeriodicJobs,
  { processId, ...state }: ReportedState & { readonly processId: string },
): void {
  jobs.start({
    name: 'report state',
    everyMs: EVERY_MS,
    run: async () => {
      await reportState(pool, processId, state);
      return true;
    },
  });
}
