import { pino } from 'pino';
import { ClosingStack } from '../../../../gateway/boot/closing-stack.ts';
import { openStores, type Stores } from '../../../../gateway/boot/stores/open-stores.ts';
import { ConfigError, loadConfig } from '../../../../gateway/platform/config/config.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';

export interface StoreAddresses {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
}

/**
 * Opens the stores as a start does. Returns the sentences with which they are refused, or what
 * `use` returns. An error that is no sentence is thrown.
 */
export async function tryStores<Result>(
  { databaseUrl, redisUrl }: StoreAddresses,
  use: (stores: Stores) => Promise<Result>,
): Promise<{ readonly refused: string } | { readonly served: Result }> {
  const logger = pino({ level: 'silent' });
  const closing = new ClosingStack();
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    SECRET_KEY: TEST_SECRET_KEY,
    GATEWAY_THREADS: '1',
    WORKER_THREADS: '1',
    LEDGER_TIMEOUT_MS: '50000',
  });
  try {
    const onDatabaseDied = (): never => {
      throw new Error('there is no embedded database');
    };
    const stores = await openStores({ config, logger, closing, onDatabaseDied });
    return { served: await use(stores) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { refused: error.message };
  } finally {
    await closing.close(logger);
  }
}
