import type { Logger } from 'pino';

export interface FollowUpOptions {
  /** Loads the catalog and gives it to the threads. */
  readonly publishCatalog: () => Promise<void>;
  /** Brings the ledger up to the book for one account. */
  readonly applyCredits: (accountId: string) => Promise<unknown>;
  /** The same for every account that got a credit lately. */
  readonly applyRecentCredits: () => Promise<unknown>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
}

const RETRY_MS = 500;

/**
 * The slow part of what a change brings about: it talks to the stores. It runs concurrently with
 * the change feed, one thing at a time, and is tried again until it is done, so that a ledger that
 * is down neither stops the feed, which has to report revoked keys, nor loses a credit.
 */
export class ChangeFollowUp {
  readonly #options: FollowUpOptions;
  readonly #accountIds = new Set<string>();
  #catalogDue = false;
  #recentCreditsDue = false;
  #working: Promise<void> | undefined;
  #failed = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: FollowUpOptions) {
    this.#options = options;
  }

  catalogChanged(): void {
    this.#catalogDue = true;
    this.#work();
  }

  credited(accountIds: readonly string[]): void {
    for (const accountId of accountIds) this.#accountIds.add(accountId);
    this.#work();
  }

  /** Credits may have been missed: the feed was away, or the ledger lost something. */
  creditsMissed(): void {
    this.#recentCreditsDue = true;
    this.#work();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #work(): void {
    if (this.#stopped || this.#working !== undefined) return;
    clearTimeout(this.#timer);
    this.#working = this.#attempt().then((again) => {
      this.#working = undefined;
      if (again && !this.#stopped) this.#timer = setTimeout(() => this.#work(), RETRY_MS);
    });
  }

  /** Returns whether something has to be tried again. */
  async #attempt(): Promise<boolean> {
    try {
      while (!this.#stopped && (await this.#next()));
      if (this.#failed) this.#options.logger.info('The delayed change is in force now');
      this.#failed = false;
      return false;
    } catch (error) {
      if (!this.#failed) {
        this.#options.logger.error({ err: error }, 'A change is not in force yet; trying again');
      }
      this.#failed = true;
      return true;
    }
  }

  /** Does one thing that is due; false when nothing is. What fails stays due. */
  async #next(): Promise<boolean> {
    if (this.#catalogDue) {
      this.#catalogDue = false;
      await this.#options.publishCatalog().catch((error: unknown) => {
        this.#catalogDue = true;
        throw error;
      });
      return true;
    }
    if (this.#recentCreditsDue) {
      this.#recentCreditsDue = false;
      await this.#options.applyRecentCredits().catch((error: unknown) => {
        this.#recentCreditsDue = true;
        throw error;
      });
      return true;
    }
    const [accountId] = this.#accountIds;
    if (accountId === undefined) return false;
    this.#accountIds.delete(accountId);
    await this.#options.applyCredits(accountId).catch((error: unknown) => {
      this.#accountIds.add(accountId);
      throw error;
    });
    return true;
  }
}
