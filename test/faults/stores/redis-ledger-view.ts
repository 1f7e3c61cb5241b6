import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { PARTITION_COUNT, partitionKey } from '../../../gateway/ledger/partition.ts';
import { reconcileRedis } from '../../../gateway/ledger/reconcile/reconcile-redis.ts';
import { type Funds, readFunds } from '../../support/ledger/read-funds.ts';
import { compareSubscriptions } from '../compare-subscriptions.ts';
import type { FaultRedis } from './fault-redis.ts';
import type { LedgerView } from './ledger-view.ts';
import type { Payers } from '../seed-payers.ts';

export class RedisLedgerView implements LedgerView {
  readonly #redis: FaultRedis;
  readonly #pool: pg.Pool;
  readonly #payers: Payers;

  constructor(redis: FaultRedis, pool: pg.Pool, payers: Payers) {
    this.#redis = redis;
    this.#pool = pool;
    this.#payers = payers;
  }

  async funds(accountIds: readonly string[]): Promise<ReadonlyMap<string, Funds>> {
    const found = await Promise.all(
      accountIds.map(async (id) => [id, await readFunds(this.#redis.client, id)] as const),
    );
    return new Map(found.flatMap(([id, funds]) => (funds === undefined ? [] : [[id, funds]])));
  }

  async waiting(): Promise<number> {
    const lengths = await Promise.all(
      Array.from({ length: PARTITION_COUNT }, (_value, partition) =>
        this.#redis.client.xlen(partitionKey(partition, 'usage')),
      ),
    );
    return lengths.reduce((sum, length) => sum + length, 0);
  }

  async compare(): Promise<readonly string[]> {
    const { differences } = await reconcileRedis(this.#redis.client, this.#pool);
    return [
      ...differences.map((difference) => `reconcile: ${JSON.stringify(difference)}`),
      ...(await compareSubscriptions(this.#redis.client, this.#pool, this.#payers)),
    ];
  }

  leaveEvidence(folder: string): Promise<void> {
    cpSync(this.#redis.appendLog.folder, join(folder, 'redis'), { recursive: true });
    return Promise.resolve();
  }

  close(): void {
    this.#redis.appendLog.stop();
    this.#redis.client.disconnect();
  }
}
