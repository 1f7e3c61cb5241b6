import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './connect.ts';

/** A server that takes writes. */
export interface Primary {
  /** For the operator: "Redis", in a cluster with its address. */
  readonly name: string;
  readonly node: Redis;
}

/** The single server, or every primary of the cluster as it is known now. */
export function primariesOf(redis: RedisClient): Primary[] {
  if (!(redis instanceof Cluster)) return [{ name: 'Redis', node: redis }];
  return redis.nodes('master').map((node) => {
    const { host = '', port = 0 } = node.options;
    return { name: `Redis at ${host}:${port}`, node };
  });
}
