import { describe, expect, it } from 'vitest';
import type { ThreadCounters } from '../../../gateway/data-plane/threads/messages.ts';
import { reportState } from '../../../gateway/boot/page/report-state.ts';
import { createDatabase } from '../../support/stores/postgres.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';

const CHANNEL = '01a1fe10-0000-7000-8000-000000000001';
const PROCESS = '01a1fe10-0000-7000-8000-000000000002';

function thread(
  statuses: Record<string, number>,
  channel: { attempts: number; failures: number; state: 'closed' | 'open' | 'half_open' },
): ThreadCounters {
  return {
    requests: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    inFlight: 0,
    statuses,
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
    uncollectedNanoUsd: 0,
    settlesPending: 0,
    latencyMsBuckets: [],
    latencyMsSum: 0,
    channels: [
      {
        channelId: CHANNEL,
        retryAtMs: null,
        limitedModels: [],
        outcomes: { lastSuccessAtMs: null, failedAtMs: [], lastFailure: null },
        ...channel,
      },
    ],
  };
}

async function reported(state: Parameters<typeof reportState>[2]) {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  await reportState(pool, PROCESS, state);
  const { rows } = await pool.query<Record<string, unknown>>('select * from process_reports');
  await pool.end();
  await database.drop();
  return rows;
}

describe('the report of a process', () => {
  it('sums its threads, counts 5xx as failures, and has the worst that any thread sees', async () => {
    const threads = [
      thread({ 200: 7, 402: 2, 0: 1 }, { attempts: 9, failures: 1, state: 'closed' }),
      thread({ 200: 1, 502: 3, 503: 1 }, { attempts: 6, failures: 4, state: 'open' }),
    ];
    const [row, ...more] = await reported({
      counters: () => Promise.resolve(threads),
      drain: () => ({ lagMs: 1_200 }),
      jobs: () => [{ name: 'clean up', isLate: true, lastFailure: 'broken' }],
      problems: () => [{ kind: 'clock', severity: 'error', message: '26 h behind' }],
    });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      process_id: PROCESS,
      requests: 15,
      failures: 4,
      drain_lag_ms: 1_200,
      channels: [{ channelId: CHANNEL, attempts: 15, failures: 5, state: 'open' }],
      jobs: [{ name: 'clean up', isLate: true, lastFailure: 'broken' }],
      problems: [{ kind: 'clock', severity: 'error', message: '26 h behind' }],
    });
  });

  it('of one that serves no requests and drains nothing says so', async () => {
    const [row] = await reported({
      counters: null,
      drain: null,
      jobs: () => [],
      problems: () => [],
    });
    expect(row).toMatchObject({ requests: null, failures: null, drain_lag_ms: null, channels: [] });
  });
});
