import type { Redis } from 'ioredis';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { primariesOf } from '../../../stores/redis/primaries.ts';

/** The settings of Redis that are checked. */
export const CHECKED_SETTINGS = [
  'version',
  'maxmemory-policy',
  'appendonly',
  'appendfsync',
] as const;
export type CheckedSetting = (typeof CHECKED_SETTINGS)[number];

/** A setting under which Redis would lose or refuse usage records. */
export interface RedisFault {
  readonly setting: CheckedSetting;
  /**
   * `error`: money can be lost; `warning`: that cannot be determined.
   */
  readonly severity: 'error' | 'warning';
  /** The problem and its solution. */
  readonly message: string;
}

const VERSION_MIN = 7;

/** Returns how to change a setting now, and for the next start of the server. */
const changeTo = (setting: string, value: string): string =>
  `Run: redis-cli CONFIG SET ${setting} ${value}, and then redis-cli CONFIG REWRITE, so that it outlives a restart; or set "${setting} ${value}" in redis.conf`;

/**
 * Checks what the ledger requires of Redis, on every primary: version, no eviction, an append-only
 * file. Where CONFIG is not allowed, as with hosted servers, INFO says most of it.
 */
export async function checkRedis(redis: RedisClient): Promise<RedisFault[]> {
  const primaries = primariesOf(redis);
  return (await Promise.all(primaries.map(({ name, node }) => checkNode(name, node)))).flat();
}

async function checkNode(name: string, redis: Redis): Promise<RedisFault[]> {
  const info = await readInfo(redis);
  const found: Record<CheckedSetting, string | undefined> = {
    version: info.get('redis_version'),
    'maxmemory-policy':
      (await readSetting(redis, 'maxmemory-policy')) ?? info.get('maxmemory_policy'),
    appendonly: (await readSetting(redis, 'appendonly')) ?? fromFlag(info.get('aof_enabled')),
    appendfsync: await readSetting(redis, 'appendfsync'),
  };
  return [...faultsOf(name, found), ...unknownOf(name, found)];
}

function faultsOf(
  name: string,
  found: Readonly<Record<CheckedSetting, string | undefined>>,
): RedisFault[] {
  const faults: RedisFault[] = [];
  const add = (setting: CheckedSetting, message: string): void => {
    faults.push({ setting, severity: 'error', message });
  };
  const { version, appendonly, appendfsync, 'maxmemory-policy': policy } = found;
  if (version !== undefined && Number.parseInt(version, 10) < VERSION_MIN) {
    add('version', `${name} is of version ${version}; Weir needs ${VERSION_MIN} or newer.`);
  }
  if (policy !== undefined && policy !== 'noeviction') {
    add(
      'maxmemory-policy',
      `${name} may evict balances and holds: maxmemory-policy is ${policy}. ${changeTo('maxmemory-policy', 'noeviction')}.`,
    );
  }
  if (appendonly !== undefined && appendonly !== 'yes') {
    add(
      'appendonly',
      `${name} keeps no append-only file, so a restart takes the ledger back to the last snapshot, or to nothing: open holds are lost, and usage that no running gateway has any more and that has not reached PostgreSQL. ${changeTo('appendonly', 'yes')}.`,
    );
  } else if (appendfsync === 'no') {
    add(
      'appendfsync',
      `${name} leaves it to the system when its append-only file reaches the disk: appendfsync is no. ${changeTo('appendfsync', 'everysec')}.`,
    );
  }
  return faults;
}

/** The required value of each setting, for those that cannot be read. */
const WANTED: Readonly<Record<CheckedSetting, string>> = {
  version: `the version is ${VERSION_MIN} or newer`,
  'maxmemory-policy': 'maxmemory-policy is noeviction',
  appendonly: 'appendonly is yes',
  appendfsync: 'appendfsync is everysec or always',
};

function unknownOf(
  name: string,
  found: Readonly<Record<CheckedSetting, string | undefined>>,
): RedisFault[] {
  const isOff = found.appendonly !== undefined && found.appendonly !== 'yes';
  return CHECKED_SETTINGS.filter(
    (setting) => found[setting] === undefined && !(setting === 'appendfsync' && isOff),
  ).map((setting) => ({
    setting,
    severity: 'warning',
    message: `${name} does not let Weir read ${setting} (CONFIG GET, INFO). Make sure that ${WANTED[setting]}.`,
  }));
}

const fromFlag = (flag: string | undefined): string | undefined =>
  flag === undefined ? undefined : flag === '1' ? 'yes' : 'no';

/** The fields of INFO that are looked at; empty where the user may not run it. */
async function readInfo(redis: Redis): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    ['server', 'memory', 'persistence'].map((section) =>
      redis.info(section).catch((error: unknown) => emptyIfRefused(error)),
    ),
  );
  const lines = texts.join('\n').matchAll(/^([a-z_]+):([^\r\n]*)/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Undefined when the server does not allow its configuration to be read, as with hosted ones. */
async function readSetting(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const reply = await redis.config('GET', name);
    return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
  } catch (error) {
    emptyIfRefused(error);
    return undefined;
  }
}

/** The server has answered and refused; rejects where it did not answer, which proves nothing. */
function emptyIfRefused(error: unknown): string {
  if (error instanceof Error && error.name === 'ReplyError') return '';
  throw error;
}
