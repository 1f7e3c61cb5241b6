/**
 * A drain in its own process, which a test can stop like a paused machine: `drain-process.ts
 * <database> <redis>`.
 */
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { startDrain } from '../../../../gateway/usage/drain.ts';

const [, , databaseUrl = '', redisUrl = ''] = process.argv;
const pool = openPool(databaseUrl, { connectionsMax: 1, applicationName: 'late drain' });
const redis = connectRedis(redisUrl);
await redis.connect();
const drain = startDrain({ redis, pool, ageMsMin: 0, pauseMs: 5 });
process.once('SIGTERM', () => {
  void drain.stop(HANG_MS).then(() => {
    process.stdout.write(JSON.stringify(drain.status()));
    process.exit(0);
  });
});
