import { createRedisLedger } from '../../../../gateway/ledger/create-ledger.ts';
import type {
  RedisLedger,
  RedisLedgerOptions,
} from '../../../../gateway/ledger/redis/redis-ledger.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';

/** A ledger in Redis that refuses nothing on a slow machine. */
export function openRedisLedger(
  options: Omit<RedisLedgerOptions, 'closedMemoryMs'> & { readonly closedMemoryMs?: number },
): RedisLedger {
  return createRedisLedger({ closedMemoryMs: 86_400_000, timeoutMs: HANG_MS, ...options });
}
