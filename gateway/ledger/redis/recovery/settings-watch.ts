import { causeOf } from '../../../platform/errors/cause-of.ts';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import type { LedgerLog } from '../../ledger-log.ts';
import { checkRedis, type RedisFault } from './check-redis.ts';

/** A server that somebody reconfigures while Weir is connected is noticed within this time. */
const CHECK_EVERY_MS = 300_000;

export interface SettingsWatchOptions {
  readonly redis: RedisClient;
  readonly log: LedgerLog;
  readonly checkEveryMs?: number;
}

/**
 * Checks the settings of Redis at the start, on each new connection, behind which may be another
 * server after a failover, and every few minutes. Each fault is logged when it appears and when it
 * is gone.
 */
export class SettingsWatch {
  readonly #options: SettingsWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #faults: readonly RedisFault[] = [];
  #checking: Promise<void> | undefined;
  #isDue = false;
  #stopped = false;

  constructor(options: SettingsWatchOptions) {
    this.#options = options;
    const { redis, checkEveryMs = CHECK_EVERY_MS } = options;
    redis.on('ready', this.checkSoon);
    redis.on('+node', this.checkSoon);
    this.#timer = setInterval(this.checkSoon, checkEveryMs);
    this.#timer.unref();
  }

  /** The faults found by the last check that got a reply. */
  get faults(): readonly RedisFault[] {
    return this.#faults;
  }

  /** Rejects when Redis does not answer. */
  async check(): Promise<void> {
    const { redis, log } = this.#options;
    const found = await checkRedis(redis);
    if (this.#stopped) return;
    const known = new Set(this.#faults.map(({ message }) => message));
    for (const { severity, message } of found.filter((fault) => !known.has(fault.message))) {
      log[severity === 'error' ? 'error' : 'warn']({}, message);
    }
    const still = new Set(found.map(({ message }) => message));
    for (const { message } of this.#faults.filter((fault) => !still.has(fault.message))) {
      log.info({ was: message }, 'a setting of Redis is correct again');
    }
    this.#faults = found;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    const { redis } = this.#options;
    redis.off('ready', this.checkSoon);
    redis.off('+node', this.checkSoon);
  }

  /** Checks in the background; again if a connection becomes ready meanwhile, to another server. */
  readonly checkSoon = (): void => {
    this.#isDue = true;
    this.#checking ??= this.#checkWhileDue().finally(() => {
      this.#checking = undefined;
    });
  };

  async #checkWhileDue(): Promise<void> {
    while (this.#isDue && !this.#stopped) {
      this.#isDue = false;
      await this.check().catch((error: unknown) => {
        // The next connection is checked; that this one broke is reported by others.
        this.#options.log.info({ cause: causeOf(error) }, 'the settings of Redis were not read');
      });
    }
  }
}
