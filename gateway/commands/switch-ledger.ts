/**
 * `npm run switch-ledger -- redis|postgres`: moves the ledger to the other store. No process of
 * Weir may run meanwhile. Says why it cannot be done, with exit code 1, and has changed nothing
 * then.
 */
import { explainConnectError } from '../boot/stores/explain-connect-error.ts';
import { openDatabase } from '../boot/stores/open-database.ts';
import { runCommand } from './run-command.ts';
import { ConfigError, loadConfig } from '../platform/config/config.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { SWITCH_APPLICATION_NAME, switchStore } from '../ledger/switch-store.ts';
import { migrate } from '../stores/postgres/migrate.ts';
import { connectRedis } from '../stores/redis/connect.ts';

const SAID: Readonly<Record<'switched' | 'already', Readonly<Record<LedgerStore, string>>>> = {
  switched: {
    redis:
      'The ledger is in Redis. Start every process of this database with this REDIS_URL, ROLE=admin too.',
    postgres:
      'The ledger is in PostgreSQL. Start every process of this database without REDIS_URL.',
  },
  already: {
    redis: 'The ledger is in Redis already; nothing was done.',
    postgres: 'The ledger is in PostgreSQL already; nothing was done.',
  },
};

function readTarget(): LedgerStore {
  const [, , target, ...more] = process.argv;
  if ((target === 'redis' || target === 'postgres') && more.length === 0) return target;
  throw new ConfigError('Say where the ledger is to be: npm run switch-ledger -- redis|postgres');
}

async function main(): Promise<void> {
  const target = readTarget();
  const config = loadConfig(process.env);
  if (config.redisUrl === null) {
    throw new ConfigError(
      'REDIS_URL: is not set; set it to the Redis that is left or taken up by the ledger.',
    );
  }
  const database = await openDatabase(config, {
    connectionsMax: 1,
    applicationName: SWITCH_APPLICATION_NAME,
    // All accounts may be looked at, and a start that has just begun is waited for.
    statementTimeoutMs: 0,
  });
  const redis = connectRedis(config.redisUrl);
  const { pool } = database;
  try {
    await migrate(pool);
    await explainConnectError('REDIS_URL', 'Redis', () => redis.connect());
    const outcome = await switchStore({ target, pool, redis });
    if (outcome.code === 'refused') throw new ConfigError(outcome.reason);
    process.stdout.write(`${SAID[outcome.code][target]}\n`);
  } finally {
    redis.disconnect();
    await database.close();
  }
}

await runCommand(main);
