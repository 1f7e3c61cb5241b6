import type pg from 'pg';
import type { Logger } from 'pino';
import { ChangeFeed, type Changes } from '../catalog/change-feed.ts';
import { CatalogPublisher } from '../catalog/publish.ts';
import type { CatalogSnapshot } from '../catalog/snapshot.ts';
import type { Config } from '../config/config.ts';
import { applyCredits, applyRecentCredits } from '../ledger/apply-credits.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ToHttpThread } from '../threads/messages.ts';
import type { ClosingStack } from './closing-stack.ts';

export interface CatalogFeedOptions {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly logger: Logger;
  readonly closing: ClosingStack;
  /** To every HTTP thread. */
  readonly broadcast: (message: ToHttpThread) => void;
}

export interface CatalogFeed {
  snapshot(): CatalogSnapshot;
  postgresReady(): boolean;
}

/** Credits made while no gateway ran, or while Postgres could not be reached, are applied from this far back. */
const MISSED_CREDITS_MS = 86_400_000;

/** Loads the catalog, and from then on carries every change to the threads and every credit to the ledger. */
export async function startCatalogFeed(options: CatalogFeedOptions): Promise<CatalogFeed> {
  const { config, pool, secrets, ledger, logger, closing, broadcast } = options;
  const publisher = new CatalogPublisher({
    pool,
    secrets,
    logger,
    onSnapshot: (snapshot) => broadcast({ kind: 'catalog', snapshot }),
  });
  let reachable = true;
  const feed = new ChangeFeed({
    pool,
    pollMs: config.changePollMs,
    onChanges: async (changes) => {
      tellThreads(changes, broadcast);
      if (changes.catalog) await publisher.publish();
      for (const accountId of changes.creditedAccountIds) {
        await applyCredits(ledger, pool, accountId);
      }
    },
    onResumed: async () => {
      broadcast({ kind: 'forget_all' });
      await publisher.publish();
      await applyRecentCredits(ledger, pool, MISSED_CREDITS_MS);
    },
    onReachable: (now, error) => {
      reachable = now;
      broadcast({ kind: 'stores', postgresReady: now });
      if (now) logger.info('PostgreSQL answers again');
      else logger.error({ err: error }, 'PostgreSQL does not answer; serving with what is known');
    },
  });
  await feed.begin();
  await publisher.publish();
  await applyRecentCredits(ledger, pool, MISSED_CREDITS_MS);
  feed.start();
  closing.push('change feed', async () => {
    await feed.stop();
    publisher.stop();
  });
  return { snapshot: () => publisher.snapshot, postgresReady: () => reachable };
}

function tellThreads(changes: Changes, broadcast: (message: ToHttpThread) => void): void {
  const { keyIds, accountIds } = changes;
  if (keyIds.length > 0 || accountIds.length > 0) {
    broadcast({ kind: 'changed', keyIds, accountIds });
  }
}
