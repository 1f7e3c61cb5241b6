import type pg from 'pg';
import { loadSnapshot } from '../../gateway/catalog/load-snapshot.ts';
import { loadConfig } from '../../gateway/platform/config/config.ts';
import { serveExchange } from '../../gateway/data-plane/router.ts';
import { listen } from '../../gateway/data-plane/http/listen.ts';
import type { ThreadContext } from '../../gateway/data-plane/thread-context.ts';
import { createThreadContext } from '../../gateway/data-plane/threads/create-thread-context.ts';
import type { EntryBatch } from '../../gateway/request-history/request-history.ts';
import { TEST_SECRET_KEY, TEST_SECRETS } from './seed.ts';

/**
 * The request path in the test's own thread, with a context that the test may change; the ledger is
 * in PostgreSQL.
 */
export async function startGatewayInProcess(
  options: {
    readonly pool: pg.Pool;
    readonly databaseUrl: string;
    readonly onRequests?: (batch: EntryBatch) => void;
  },
  change: (context: ThreadContext) => ThreadContext,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { snapshot } = await loadSnapshot(options.pool, {
    version: 1,
    secrets: TEST_SECRETS,
    onUnreadable: () => undefined,
  });
  const start = {
    index: 0,
    config: loadConfig({
      LOG_LEVEL: 'silent',
      LEDGER_TIMEOUT_MS: '50000',
      DATABASE_URL: options.databaseUrl,
      SECRET_KEY: TEST_SECRET_KEY,
    }),
    databaseUrl: options.databaseUrl,
    redisUrl: null,
    secretKey: TEST_SECRET_KEY,
    port: 0,
    workerThreads: 1,
    catalog: snapshot,
  };
  const open = await createThreadContext(start, {
    requests: options.onRequests ?? (() => undefined),
    learned: () => undefined,
  });
  const context = change(open.context);
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    crossOriginHeaders: [],
    reuseConnections: true,
    ticker: context.ticker,
    onExchange: (exchange) => serveExchange(exchange, context),
  });
  return {
    url: `http://127.0.0.1:${String(listener.port)}`,
    close: async () => {
      listener.stopAccepting();
      listener.close();
      await open.close();
    },
  };
}
