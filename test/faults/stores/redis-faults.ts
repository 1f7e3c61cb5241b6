import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../simulator/random.ts';
import type { FaultFixture } from '../fault-fixture.ts';
import type { FaultRedis } from './fault-redis.ts';
import { hang } from '../hang.ts';

type Strike = (fixture: FaultFixture, random: Random) => Promise<string>;

const DOWN_MS_MAX = 500;
/** `appendfsync everysec` may lose what was written in the last two seconds. */
const TAIL_MS_MAX = 1_900;

/** Faults of Redis as the ledger. Each returns what was done, in words. */
export const REDIS_FAULTS = {
  redis: async (fixture, random) => {
    const downMs = random.between(0, DOWN_MS_MAX);
    await killRedis(fixture, random, () => sleep(downMs));
    return `redis, down for ${downMs} ms`;
  },
  redis_tail: async (fixture, random) => {
    const lostMs = random.between(0, TAIL_MS_MAX);
    let bytes = 0;
    await killRedis(fixture, random, ({ appendLog }) => {
      bytes = appendLog.cut(lostMs);
    });
    return `redis, lost its last ${lostMs} ms (${bytes} bytes)`;
  },
  redis_emptied: async (fixture, random) => {
    const downMs = random.between(0, DOWN_MS_MAX);
    await killRedis(fixture, random, ({ appendLog }) => {
      appendLog.remove();
      return sleep(downMs);
    });
    return `redis, lost everything, down for ${downMs} ms`;
  },
} as const satisfies Readonly<Record<string, Strike>>;

/** `whileDown` happens before it starts again. */
async function killRedis(
  { redis }: FaultFixture,
  random: Random,
  whileDown: (redis: FaultRedis) => unknown,
): Promise<void> {
  if (redis === null) throw new Error('A fault of Redis needs Redis as the ledger.');
  await hang(redis.server, random);
  await redis.server.kill();
  await whileDown(redis);
  await redis.server.restart();
}
