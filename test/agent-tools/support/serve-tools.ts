import { expect } from 'vitest';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { runCommand } from '../../support/machine/command.ts';
import { openTestLedger } from '../../support/ledger/money.ts';
import { createDatabase } from '../../support/stores/postgres.ts';
import { TEST_SECRET_KEY } from '../../support/seed.ts';
import { startWeir } from '../../support/weir.ts';
import { sellModels, type ModelForSale, type Shop } from './sell-models.ts';

/** Number of Weir's replies, by status. */
export type Answers = Readonly<Record<string, number>>;

export interface ServedTools extends Omit<Shop, 'close'> {
  /** Weir's origin. */
  readonly url: string;
  /** Returns Weir's replies since the last call. */
  newAnswers(): Promise<Answers>;
  /** Stops Weir and the upstreams; what `npm run reconcile` said before. */
  close(): Promise<string>;
}

/** A whole Weir that sells these models, as an operator would run it. */
export async function serveTools(models: readonly ModelForSale[]): Promise<ServedTools> {
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  const { ledger, close: closeLedger } = await openTestLedger(pool, null);
  const shop = await sellModels(pool, ledger, models);
  const stores = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY };
  const weir = await startWeir({
    ...stores,
    LOG_LEVEL: 'warn',
    GATEWAY_THREADS: '1',
    LEDGER_TIMEOUT_MS: '30000',
  });
  let before: Answers = {};

  return {
    ...shop,
    url: weir.url,
    newAnswers: async () => {
      const page = await (await fetch(`${weir.adminUrl}/metrics`)).text();
      const now = readAnswers(page);
      const since = Object.entries(now).map(([status, count]): [string, number] => [
        status,
        count - (before[status] ?? 0),
      ]);
      before = now;
      return Object.fromEntries(since.filter(([, count]) => count > 0));
    },
    close: async () => {
      const { output } = await runCommand('reconcile', [], stores);
      const code = await weir.end('SIGTERM');
      await closeLedger();
      await pool.end();
      await shop.close();
      await database.drop();
      expect(code).toBe(0);
      return output;
    },
  };
}

function readAnswers(page: string): Answers {
  const lines = page.matchAll(/^weir_requests_total\{status="(\d+)"\} (\d+)$/gm);
  return Object.fromEntries(
    [...lines].map(([, status = '', count]): [string, number] => [status, Number(count)]),
  );
}
