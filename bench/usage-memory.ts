/**
 * Measures the memory of Redis for a usage record that waits for PostgreSQL, on stores of its own:
 *
 *   npm run bench:usage-memory [-- --records 200000 --accounts 10000 --callers 64]
 *
 * Holds and settles so many requests while nothing drains, and prints what Redis's memory has grown
 * by, for each record: in all, and how much of it are the usage streams. The rest are closed
 * requests, which are remembered whether drained or not.
 */
import { parseArgs } from 'node:util';
import { PARTITION_NAMES, partitionKey } from '../gateway/ledger/partition.ts';
import { openPool } from '../gateway/stores/postgres/connect.ts';
import { migrate } from '../gateway/stores/postgres/migrate.ts';
import { startPostgres } from '../test/support/stores/postgres-server.ts';
import { type LedgerGround, openLedgerGround, payerAt } from './ledger-scale/ledger-ground.ts';
import { spend } from './ledger-scale/spend.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '200000' },
    accounts: { type: 'string', default: '10000' },
    callers: { type: 'string', default: '64' },
  },
});
const records = Number(values.records);
const accounts = Number(values.accounts);

async function usedBytes({ redis }: LedgerGround): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}

const postgres = await startPostgres();
const pool = openPool(postgres.url, { connectionsMax: 8, applicationName: 'bench' });
await migrate(pool);
const ground = await openLedgerGround(pool, { accounts, ledgers: 1 });
const [ledger] = ground.ledgers;
if (ledger === undefined) throw new Error('no ledger');
const before = await usedBytes(ground);
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.callers) }, async () => {
    while (next < records) {
      next += 1;
      await spend(ledger, payerAt(next % accounts));
    }
  }),
);
const grown = (await usedBytes(ground)) - before;
const streams = PARTITION_NAMES.map((_name, partition) => partitionKey(partition, 'usage'));
let entries = 0;
for (const key of streams) entries += await ground.redis.xlen(key);
await ground.redis.del(...streams);
const kept = (await usedBytes(ground)) - before;
const each = (bytes: number): string => (bytes / next).toFixed(0);
console.log(
  `${String(next)} records in ${String(entries)} entries, ${String(accounts)} accounts: Redis has grown by ${each(grown)} bytes per record, ` +
    `${each(grown - kept)} of them in the usage streams, ${each(kept)} for closed requests`,
);
await ground.close();
await pool.end();
await postgres.stop();
