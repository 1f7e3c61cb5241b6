/**
 * `npm run reconcile`: recomputes the ledger's invariants from the book and compares the ledger
 * with it. Prints what differs as a table; exit code 1 when anything does. May run alongside
 * gateways at work; takes a while on a large database.
 */
import type pg from 'pg';
import { explainConnectError } from '../boot/stores/explain-connect-error.ts';
import { openDatabase } from '../boot/stores/open-database.ts';
import { runCommand } from './run-command.ts';
import { ConfigError, loadConfig } from '../platform/config/config.ts';
import { type LedgerStore, recordedStore } from '../ledger/ledger-store.ts';
import type { Difference } from '../ledger/reconcile/difference.ts';
import {
  reconcileRecords,
  reconcilePostgresLedger,
} from '../ledger/reconcile/reconcile-postgres.ts';
import { reconcileRedis } from '../ledger/reconcile/reconcile-redis.ts';
import { underEpochLock } from '../ledger/redis/recovery/epoch-lock.ts';
import { missingLedger, foreignLedger } from '../ledger/redis/recovery/ledger-ownership.ts';
import { pendingMigrations } from '../stores/postgres/migrate.ts';
import { connectRedis } from '../stores/redis/connect.ts';

/** Compared with the other one, everything that was spent since would look like a difference. */
const OTHER_STORE: Readonly<Record<LedgerStore, string>> = {
  postgres:
    'REDIS_URL: is not set, and the ledger of this database is in Redis. Set it to that of Weir’s processes.',
  redis:
    'REDIS_URL: is set, and the ledger of this database is in PostgreSQL. Unset it, as it is for Weir’s processes.',
};

/** It only looks: to migrate beneath gateways of the former version is the business of a start. */
const OLDER_DATABASE =
  'The database is that of an older version of Weir. Run reconcile of that version, or start this one first: it brings the database up to date.';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function table(differences: readonly Difference[]): string {
  const rows = [
    ['check', 'subject', 'expected', 'found', 'difference'],
    ...differences.map(({ check, subject, expected, found }) => [
      check,
      subject,
      String(expected),
      String(found),
      String(found - expected),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const database = await openDatabase(config, {
    connectionsMax: 2,
    applicationName: 'weir reconcile',
    // Sums over all records there are take their time.
    statementTimeoutMs: 0,
  });
  const { pool } = database;
  try {
    if ((await pendingMigrations(pool)).length > 0) throw new ConfigError(OLDER_DATABASE);
    const own = config.redisUrl === null ? 'postgres' : 'redis';
    const noted = (await recordedStore(pool)) ?? own;
    if (noted !== own) throw new ConfigError(OTHER_STORE[own]);
    const found = [
      ...(await reconcileRecords(pool)),
      ...(await reconcileLedger(config.redisUrl, pool)),
    ];
    print(found.length === 0 ? 'Everything adds up.' : table(found));
    process.exitCode = found.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}

async function reconcileLedger(
  redisUrl: string | null,
  pool: pg.Pool,
): Promise<readonly Difference[]> {
  if (redisUrl === null) return reconcilePostgresLedger(pool);
  const redis = connectRedis(redisUrl);
  try {
    await explainConnectError('REDIS_URL', 'Redis', () => redis.connect());
    // One that is not the service's knows none of its accounts: nothing would be compared, and all
    // said to be well.
    const reason = await underEpochLock(
      pool,
      async (client) => (await foreignLedger(redis, client)) ?? missingLedger(redis, client),
    );
    if (reason !== undefined) throw new ConfigError(reason);
    const { differences, accounts } = await reconcileRedis(redis, pool);
    print(`${accounts} accounts in Redis were compared with the book.`);
    return differences;
  } finally {
    redis.disconnect();
  }
}

await runCommand(main);
