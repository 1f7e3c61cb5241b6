/**
 * Commands that Weir sends, or calls in scripts and functions, as ACL rules name them. A test
 * compares them with the sources; docs/operations.md has the rule.
 */
export const REDIS_COMMANDS = [
  ...['append', 'decrby', 'del', 'eval', 'evalsha', 'exists', 'fcall', 'function|load', 'get'],
  ...['hdel', 'hget', 'hgetall', 'hmget', 'hscan', 'hset', 'hsetnx', 'incrby', 'pexpireat', 'ping'],
  ...['scan', 'select', 'set', 'setnx', 'setrange', 'time', 'unlink', 'xadd', 'xdel', 'xlen'],
  ...['xrange', 'xtrim', 'zadd', 'zrangebyscore', 'zrem'],
] as const;

export type RedisCommand = (typeof REDIS_COMMANDS)[number];

/** With these Weir checks version and settings of Redis; without them it warns. */
const REDIS_OPTIONAL_COMMANDS = ['info', 'config|get'] as const;

/** Additional commands of a cluster's client. */
export const REDIS_CLUSTER_COMMANDS = ['cluster|info', 'cluster|slots'] as const;

/** All keys of Weir begin with the tag of a partition. */
const REDIS_KEYS = '{p*';

/** The rights of a user of Weir, as `ACL SETUSER` takes them; quoted for a shell. */
export const REDIS_RIGHTS = `'~${REDIS_KEYS}' ${[
  ...REDIS_COMMANDS,
  ...REDIS_OPTIONAL_COMMANDS,
  ...REDIS_CLUSTER_COMMANDS,
]
  .map((command) => (command.includes('|') ? `'+${command}'` : `+${command}`))
  .join(' ')}`;
