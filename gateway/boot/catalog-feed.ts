import type { Logger } from 'pino';
import { ChangeFeed, type Changes } from '../catalog/change-feed.ts';
import { CatalogPublisher } from '../catalog/publish.ts';
import type { CatalogSnapshot } from '../catalog/snapshot.ts';
import type { Config } from '../platform/config/config.ts';
import { applyCredits, applyRecentCredits } from '../ledger/apply-credits.ts';
import {
  storeWatermark,
  postgresBehindWatermark,
} from '../ledger/redis/recovery/postgres-watermark.ts';
import { openPool } from '../stores/postgres/connect.ts';
import { CONNECTIONS } from '../stores/postgres/pool-sizes.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { CredentialMinter } from '../data-plane/credentials/credential-minter.ts';
import type { ToHttpThread } from '../data-plane/threads/messages.ts';
import { ChangeFollowUp } from './change-follow-up.ts';
import type { ClosingStack } from './closing-stack.ts';
import type { StoresWatch } from './stores/stores-watch.ts';
import type { Stores } from './stores/open-stores.ts';

export interface CatalogFeedOptions {
  readonly config: Config;
  readonly stores: Pick<Stores, 'databaseUrl' | 'pool' | 'ledger' | 'redis'>;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly closing: ClosingStack;
  readonly watch: Pick<StoresWatch, 'postgresAnswers' | 'postgresAway'>;
  readonly minter: Pick<CredentialMinter, 'follow'>;
  /** To every HTTP thread. */
  readonly broadcast: (message: ToHttpThread) => void;
}

export interface CatalogFeed {
  /** Returns the snapshot that HTTP threads get. */
  snapshot(): CatalogSnapshot;
}

/**
 * Credits made while no gateway ran, or while a store could not be reached, are applied from this
 * far back.
 */
const MISSED_CREDITS_MS = 86_400_000;

/**
 * Loads the catalog, and from then on carries every change to the threads and every credit to the
 * ledger.
 */
export async function startCatalogFeed(options: CatalogFeedOptions): Promise<CatalogFeed> {
  const { config, stores, secrets, logger, closing, watch, minter, broadcast } = options;
  const { pool, ledger } = stores;
  const publisher = new CatalogPublisher({
    pool,
    secrets,
    logger,
    prepare: (snapshot) => minter.follow(snapshot),
    onSnapshot: (snapshot) => broadcast({ kind: 'catalog', snapshot }),
  });
  const followUp = new ChangeFollowUp({
    publishCatalog: () => publisher.publish(),
    applyCredits: (accountId) => applyCredits(ledger, pool, accountId),
    applyRecentCredits: () => applyRecentCredits(ledger, pool, MISSED_CREDITS_MS),
    logger,
  });
  const feedPool = openPool(stores.databaseUrl, {
    connectionsMax: CONNECTIONS.changeFeed,
    applicationName: 'weir changes',
  });
  closing.push('connection of the change feed', () => feedPool.end());
  const bookSequence = watchBookSequence(options);
  const feed = new ChangeFeed({
    pool: feedPool,
    pollMs: config.changePollMs,
    onChanges: (changes) => {
      tellThreads(changes, broadcast);
      if (changes.catalog) followUp.catalogChanged();
      if (changes.creditedAccountIds.length > 0) followUp.credited(changes.creditedAccountIds);
      bookSequence.keep(changes.sequence);
    },
    onResumed: () => {
      bookSequence.look();
      broadcast({ kind: 'forget_all' });
      followUp.catalogChanged();
      followUp.creditsMissed();
    },
    onState: (state) => watch.postgresAnswers(state),
    onReachable: (now, error) => {
      // That it takes changes again is known with its state.
      if (!now) watch.postgresAway();
      if (now) logger.info('PostgreSQL answers again');
      else logger.error({ err: error }, 'PostgreSQL does not answer; serving with what is known');
    },
  });
  await feed.begin();
  await publisher.publish();
  // Redis that was away may have lost the newest credits with the end of its log.
  stores.redis?.on('ready', () => followUp.creditsMissed());
  followUp.creditsMissed();
  feed.start();
  closing.push('change feed', async () => {
    await feed.stop();
    await followUp.stop();
    publisher.stop();
  });
  return { snapshot: () => publisher.snapshot };
}

/**
 * Stores PostgreSQL's newest position in Redis, and logs an error if PostgreSQL is behind it after
 * an outage.
 */
function watchBookSequence({ stores: { redis, pool }, logger }: CatalogFeedOptions): {
  keep(sequence: number): void;
  look(): void;
} {
  // While Redis is away, PostgreSQL cannot be compared; the next change stores the position.
  const ignore = (): void => undefined;
  return {
    keep: (sequence) => {
      if (redis !== null) storeWatermark(redis, sequence).catch(ignore);
    },
    look: () => {
      if (redis === null) return;
      postgresBehindWatermark(redis, pool).then((reason) => {
        if (reason !== undefined) logger.error(reason);
      }, ignore);
    },
  };
}

function tellThreads(changes: Changes, broadcast: (message: ToHttpThread) => void): void {
  const { keyIds, accountIds } = changes;
  if (keyIds.length > 0 || accountIds.length > 0) {
    broadcast({ kind: 'changed', keyIds, accountIds });
  }
}
