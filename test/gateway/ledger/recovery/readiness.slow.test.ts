import { afterEach, describe, expect, it, vi } from 'vitest';
import { LedgerReadiness } from '../../../../gateway/ledger/ledger-readiness.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { startRedisCluster } from '../../../support/stores/redis.ts';
import { fund, holdOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';

describe('whether a thread is ready', () => {
  afterEach(() => void vi.useRealTimers());

  function open(probe: () => Promise<void>, isProven = false) {
    const asked = { probes: 0 };
    const lines: string[] = [];
    const note = (_details: object, message: string): void => void lines.push(message);
    const ledger = {
      probe: () => {
        asked.probes += 1;
        return probe();
      },
    };
    const log = { info: note, warn: note, error: note };
    return { asked, lines, readiness: new LedgerReadiness(ledger, { isProven }, log) };
  }

  it('asks nothing of a ledger that its own requests have just proven', async () => {
    const { asked, readiness } = open(() => Promise.reject(new Error('busy')), true);
    expect(await readiness.isReady()).toBe(true);
    expect(asked.probes).toBe(0);
  });

  it('asks once for all who ask at once, and again a second later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { asked, readiness } = open(() => Promise.resolve());
    const ask = async (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 100 }, () => readiness.isReady()));
    expect(new Set(await ask())).toEqual(new Set([true]));
    expect(new Set(await ask())).toEqual(new Set([true]));
    expect(asked.probes).toBe(1);
    vi.advanceTimersByTime(1_000);
    await ask();
    expect(asked.probes).toBe(2);
  });

  it('is not ready while the ledger is too slow to say', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { asked, readiness } = open(() => new Promise(() => undefined));
    for (let round = 0; round < 2; round += 1) {
      const answer = readiness.isReady();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await answer).toBe(false);
    }
    expect(asked.probes).toBe(1);
  });

  it('says in the log once why it is not, and once that it is', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let isBroken = true;
    const { lines, readiness } = open(() =>
      isBroken ? Promise.reject(new Error('OOM')) : Promise.resolve(),
    );
    const answers: boolean[] = [];
    for (const broken of [true, true, false, false]) {
      isBroken = broken;
      vi.advanceTimersByTime(1_000);
      answers.push(await readiness.isReady());
    }
    expect(answers).toEqual([false, false, true, true]);
    expect(lines).toHaveLength(2);
  });
});

it('stays ready while a cluster has lost a part, whose accounts alone are refused', async () => {
  const cluster = await startRedisCluster({ config: { 'cluster-require-full-coverage': 'no' } });
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  const redis = connectRedis(cluster.url);
  await redis.connect();
  const ledger = openRedisLedger({ redis, pool, timeoutMs: 500 });
  const payers = await Promise.all(Array.from({ length: 24 }, () => fund(pool, USD)));
  const holds = async (): Promise<Set<string>> => {
    const outcomes = await Promise.all(
      payers.map((payer) => ledger.hold(holdOf(payer, { amountNanoUsd: 1 }))),
    );
    return new Set(outcomes.map(({ code }) => code));
  };
  await until('holds', async () => (await holds()).size === 1);
  await ledger.probe();
  await cluster.nodes[1]?.kill();
  await until('a part is lost', async () => (await holds()).has('ledger_unavailable'));
  await until('the rest serves', async () => (await holds()).has('held'));
  await expect(ledger.probe()).resolves.toBeUndefined();
  await cluster.nodes[0]?.kill();
  await cluster.nodes[2]?.kill();
  await until('nothing is left', async () =>
    ledger.probe().then(
      () => false,
      () => true,
    ),
  );
  await ledger.close();
  redis.disconnect();
  await Promise.all([cluster.stop(), pool.end()]);
  await database.drop();
});
