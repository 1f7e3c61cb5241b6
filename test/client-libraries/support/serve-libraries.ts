import { expect } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { sellModels, type ModelForSale, type Shop } from '../../agent-tools/support/sell-models.ts';
import { startGateway } from '../../support/gateway.ts';
import { openTestLedger } from '../../support/ledger/money.ts';
import { createDatabase } from '../../support/stores/postgres.ts';

export interface ServedLibraries extends Shop {
  /** The gateway's origin. */
  readonly url: string;
}

/** The request path alone, that sells these models. */
export async function serveLibraries(models: readonly ModelForSale[]): Promise<ServedLibraries> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  const { ledger, close: closeLedger } = await openTestLedger(pool, null);
  const shop = await sellModels(pool, ledger, models);
  const gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  return {
    ...shop,
    url: gateway.url,
    close: async () => {
      expect(await gateway.close()).toBe(0);
      await shop.close();
      await closeLedger();
      await pool.end();
      await database.drop();
    },
  };
}
