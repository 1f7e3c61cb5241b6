import type pg from 'pg';
import type { Logger } from 'pino';
import { databaseNowMs } from '../platform/clock/store-clock.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { loadSnapshot } from './load-snapshot.ts';
import type { CatalogSnapshot } from './snapshot.ts';

export interface CatalogPublisherOptions {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** Returns a snapshot as the HTTP threads may have it; absent: as it was loaded. */
  readonly prepare?: (snapshot: CatalogSnapshot) => CatalogSnapshot;
  readonly onSnapshot: (snapshot: CatalogSnapshot) => void;
}

/** A price further away is looked at again then: Postgres' clock may be set meanwhile. */
const TIMER_MS_MAX = 3_600_000;
/**
 * Postgres' clock decides when a price is in force; where it is a little behind ours, the second
 * look is this much later.
 */
const AGAIN_MS = 250;

/**
 * Keeps the snapshot current: rebuilds it when the catalog changes, and when a dated price comes
 * into force.
 */
export class CatalogPublisher {
  readonly #options: CatalogPublisherOptions;
  #version = 0;
  #timer: NodeJS.Timeout | undefined;
  #loading: Promise<void> = Promise.resolve();
  #snapshot: CatalogSnapshot | undefined;

  constructor(options: CatalogPublisherOptions) {
    this.#options = options;
  }

  /** The snapshot in force, for threads that start. */
  get snapshot(): CatalogSnapshot {
    if (this.#snapshot === undefined) throw new Error('the catalog has not been loaded');
    return this.#snapshot;
  }

  /** Loads and publishes; one load at a time, in order. */
  publish(): Promise<void> {
    const next = this.#loading.catch(() => undefined).then(() => this.#load());
    this.#loading = next;
    return next;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    const { pool, secrets, logger, prepare, onSnapshot } = this.#options;
    const { snapshot: loaded, nextPriceAt } = await loadSnapshot(pool, {
      version: this.#version + 1,
      secrets,
      onUnreadable: (channel) =>
        logger.error(
          { channel },
          'A channel’s credential was encrypted under another SECRET_KEY; the channel is out of service. Set SECRET_KEY_PREVIOUS or enter the credential again',
        ),
    });
    const snapshot = prepare?.(loaded) ?? loaded;
    this.#version = snapshot.version;
    this.#snapshot = snapshot;
    onSnapshot(snapshot);
    this.#schedule(nextPriceAt === null ? null : nextPriceAt.getTime() - databaseNowMs());
  }

  #schedule(inMs: number | null): void {
    clearTimeout(this.#timer);
    if (inMs === null) return;
    this.#timer = setTimeout(
      () => {
        this.publish().catch(() => this.#schedule(AGAIN_MS));
      },
      Math.min(Math.max(AGAIN_MS, inMs), TIMER_MS_MAX),
    );
  }
}
