import { describe, expect, it } from 'vitest';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { stage } from './stage.ts';

const OPERATIONS = { redis: 1_500, postgres: 250 };

/** Longer runs: simulation.long.test.ts, and with other seeds: `npm run simulate`. */
describe.each(['redis', 'postgres'] as const)('a simulation on %s', (store) => {
  it.each([3])('comes out as the auditor says, seed %i', async (seed) => {
    const database = await createDatabase();
    const pool = openPool(database.url, { connectionsMax: 12, applicationName: 'test' });
    const report = await stage({
      seed,
      pool,
      redisUrl: store === 'redis' ? await redisUrl() : null,
      seconds: Infinity,
      operationsMax: OPERATIONS[store],
    });
    await pool.end();
    await database.drop();
    expect(report.deviations).toEqual([]);
    expect(report.operations).toBeGreaterThanOrEqual(OPERATIONS[store]);
  });
});
