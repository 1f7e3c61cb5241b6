import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { until } from '../../support/clocks/hang.ts';
import type { Random } from '../../simulator/random.ts';
import type { FaultFixture } from '../fault-fixture.ts';
import { hang } from '../hang.ts';

type Strike = (fixture: FaultFixture, random: Random) => Promise<string>;

const DOWN_MS_MAX = 500;
/** Longer than a statement of the ledger may take: its caller has given it up when it goes on. */
const FROZEN_MS_MAX = 2_500;
/** Several times in a row: what reconnects is met in the midst of that. */
const BREAKS_MAX = 5;
const BREAK_EVERY_MS_MAX = 150;

const SESSIONS = `select pid from pg_stat_activity where application_name like 'weir %'`;

/** Faults of PostgreSQL, and of the way to it. Each returns what was done, in words. */
export const POSTGRES_FAULTS = {
  postgres: async ({ postgres }, random) => {
    const downMs = random.between(0, DOWN_MS_MAX);
    await hang(postgres, random);
    await postgres.kill();
    await sleep(downMs);
    await postgres.restart();
    return `postgres, down for ${downMs} ms`;
  },
  postgres_restarted: async ({ postgres }, random) => {
    const downMs = random.between(0, DOWN_MS_MAX);
    await postgres.stop();
    await sleep(downMs);
    await postgres.restart();
    return `postgres restarted in good order, down for ${downMs} ms`;
  },
  postgres_crashed: async ({ pool }) => {
    signalAll(await pids(pool, `${SESSIONS} order by state = 'active' desc limit 1`), 'SIGKILL');
    return 'a session of postgres killed: all of them end, and it recovers';
  },
  postgres_frozen: async ({ pool, postgres }, random) => {
    const frozenMs = random.between(0, FROZEN_MS_MAX);
    const all = await pids(pool, 'select pid from pg_stat_activity');
    postgres.pause();
    signalAll(all, 'SIGSTOP');
    await sleep(frozenMs);
    signalAll(all, 'SIGCONT');
    postgres.resume();
    return `postgres frozen for ${frozenMs} ms`;
  },
  sessions_ended: (fixture, random) =>
    breakOften(random, 'sessions ended by postgres', () =>
      pids(fixture.pool, `${SESSIONS} and pg_terminate_backend(pid)`),
    ),
  statements_cancelled: (fixture, random) =>
    breakOften(random, 'statements cancelled', () =>
      pids(fixture.pool, `${SESSIONS} and pg_cancel_backend(pid)`),
    ),
  connections_cut: (fixture, random) =>
    breakOften(random, 'connections cut', () => {
      fixture.network.cut();
    }),
  connections_silent: ({ network }) => {
    network.silence();
    return Promise.resolve('connections to postgres silent');
  },
} as const satisfies Readonly<Record<string, Strike>>;

async function breakOften(random: Random, what: string, breakOnce: () => unknown): Promise<string> {
  const times = random.between(1, BREAKS_MAX);
  for (let left = times; left > 0; left -= 1) {
    await breakOnce();
    await sleep(random.between(0, BREAK_EVERY_MS_MAX));
  }
  return `${what}, ${times} times`;
}

/** The fault before may have left PostgreSQL starting. */
function pids(pool: pg.Pool, text: string): Promise<readonly number[]> {
  return until('a list of the processes of PostgreSQL', async () => {
    const found = await pool.query<{ pid: number }>(text).catch(() => undefined);
    return found?.rows.map(({ pid }) => pid);
  });
}

/** One that has ended since needs no signal. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      continue;
    }
  }
}
