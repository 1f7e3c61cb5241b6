import type pg from 'pg';
import { pino } from 'pino';
import { Catalog } from '../../gateway/catalog/catalog.ts';
import { loadSnapshot } from '../../gateway/catalog/load-snapshot.ts';
import type { MintedEntry } from '../../gateway/data-plane/credentials/minted-credentials.ts';
import { loadConfig } from '../../gateway/platform/config/config.ts';
import { askTokenServer } from '../../gateway/data-plane/credentials/ask-token-server.ts';
import {
  CredentialMinter,
  type MinterClock,
} from '../../gateway/data-plane/credentials/credential-minter.ts';
import { serveExchange } from '../../gateway/data-plane/router.ts';
import { listen } from '../../gateway/data-plane/http/listen.ts';
import type { ThreadContext } from '../../gateway/data-plane/thread-context.ts';
import { NO_PROXIES } from '../../gateway/data-plane/upstream/choose-proxy.ts';
import { createThreadContext } from '../../gateway/data-plane/threads/create-thread-context.ts';
import type { CapturedContent } from '../../gateway/content-log/captured-content.ts';
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
    readonly onContent?: (content: CapturedContent) => void;
    /** Of what mints credentials. */
    readonly clock?: MinterClock;
    /** Its log lines. */
    readonly log?: string[];
  },
  change: (context: ThreadContext) => ThreadContext = (context) => context,
): Promise<{
  readonly url: string;
  readonly minter: CredentialMinter;
  /** Takes up what has changed in the catalog. */
  republish(): Promise<void>;
  close(): Promise<void>;
}> {
  const load = async () =>
    (
      await loadSnapshot(options.pool, {
        version: 1,
        secrets: TEST_SECRETS,
        onUnreadable: () => undefined,
      })
    ).snapshot;
  const waiting: MintedEntry[] = [];
  let publish = (entries: readonly MintedEntry[]): void => void waiting.push(...entries);
  const minter = new CredentialMinter({
    ask: (request, access) => askTokenServer(request, { ...access, proxies: NO_PROXIES }),
    publish: (entries) => publish(entries),
    logger: pino({}, { write: (line: string) => options.log?.push(line) }),
    ...(options.clock && { clock: options.clock }),
  });
  const snapshot = minter.follow(await load());
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
    minted: minter.entries(),
  };
  const open = await createThreadContext(start, {
    requests: options.onRequests ?? (() => undefined),
    content: options.onContent ?? (() => undefined),
    learned: () => undefined,
    secretRefused: (reference, secret) => minter.refused(reference, secret),
  });
  publish = (entries) => open.context.minted.apply(entries);
  publish(waiting);
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
    minter,
    republish: async () => {
      context.state.catalog = new Catalog(minter.follow(await load()));
    },
    close: async () => {
      minter.stop();
      listener.stopAccepting();
      listener.close();
      await open.close();
    },
  };
}
