import type { Redis } from 'ioredis';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { isCluster } from '../transport/run-script.ts';

/** A setting under which Redis would lose or refuse usage records. */
export interface RedisFault {
  /**
   * `error`: money can be lost; `warning`: that cannot be determined, or the setting costs more
   * than needed.
   */
  readonly severity: 'error' | 'warning';
  /** The problem and its solution. */
  readonly message: string;
}

const VERSION_MIN = 7;

/** Checks what the ledger requires of Redis: version, no eviction, an append-only file. */
export async function checkRedis(redis: RedisClient): Promise<RedisFault[]> {
  const nodes = isCluster(redis) ? redis.nodes('master') : [redis];
  const faults = await Promise.all(nodes.map(checkNode));
  const seen = new Set<string>();
  return faults.flat().filter(({ message }) => !seen.has(message) && seen.add(message));
}

async function checkNode(redis: Redis): Promise<RedisFault[]> {
  const faults = checkVersion(await readInfo(redis));
  const policy = await readSetting(redis, 'maxmemory-policy');
  const appendOnly = await readSetting(redis, 'appendonly');
  const sync = await readSetting(redis, 'appendfsync');
  if (policy === undefined || appendOnly === undefined || sync === undefined) {
    faults.push({
      severity: 'warning',
      message:
        'Redis does not let Weir read its configuration (CONFIG GET). Make sure that maxmemory-policy is noeviction and appendonly is yes.',
    });
    return faults;
  }
  if (policy !== 'noeviction') {
    faults.push({
      severity: 'error',
      message: `Redis may evict balances and holds: maxmemory-policy is ${policy}. Set "maxmemory-policy noeviction" in redis.conf, or run: redis-cli CONFIG SET maxmemory-policy noeviction`,
    });
  }
  if (appendOnly !== 'yes') {
    faults.push({
      severity: 'error',
      message:
        'Redis keeps no append-only file, so a restart takes the ledger back to the last snapshot, or to nothing: open holds are lost, and usage that no running gateway has any more and that has not reached PostgreSQL. Set "appendonly yes" in redis.conf, or run: redis-cli CONFIG SET appendonly yes',
    });
  } else if (sync === 'no') {
    faults.push({
      severity: 'error',
      message:
        'Redis leaves it to the system when its append-only file reaches the disk: appendfsync is no. Set "appendfsync everysec" in redis.conf, or run: redis-cli CONFIG SET appendfsync everysec',
    });
  }
  return faults;
}

/** Undefined when the server does not let the user read it. */
async function readInfo(redis: Redis): Promise<string | undefined> {
  try {
    return await redis.info('server');
  } catch {
    return undefined;
  }
}

function checkVersion(info: string | undefined): RedisFault[] {
  if (info === undefined) {
    const message = `Redis does not let Weir read its version (INFO). Make sure that it is ${VERSION_MIN} or newer.`;
    return [{ severity: 'warning', message }];
  }
  const version = /redis_version:(\d+)(\S*)/.exec(info);
  if (version === null || Number(version[1]) >= VERSION_MIN) return [];
  return [
    {
      severity: 'error',
      message: `Redis is of version ${version[1] ?? ''}${version[2] ?? ''}; Weir needs ${VERSION_MIN} or newer.`,
    },
  ];
}

/** Undefined when the server does not allow its configuration to be read, as with hosted ones. */
async function readSetting(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const reply = await redis.config('GET', name);
    return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
  } catch {
    return undefined;
  }
}
