import type { Logger } from 'pino';
import type { Problem } from '@weir/shared/api/problems';
import type { DatabaseState } from '../../catalog/change-feed.ts';
import type { StoresState } from '../../data-plane/threads/messages.ts';
import type { RedisFault } from '../../ledger/redis/recovery/check-redis.ts';
import { SettingsWatch } from '../../ledger/redis/recovery/settings-watch.ts';
import type { RedisClient } from '../../stores/redis/connect.ts';
import { ClockMeasurement, type ClockSample } from '../../platform/clock/clock-measurement.ts';
import {
  findDifferences,
  spanText,
  type ClockDifference,
  type ClockReading,
} from '../../platform/clock/clock-differences.ts';
import { setStoreClock } from '../../platform/clock/store-clock.ts';
import { RedisClocks } from './redis-clocks.ts';

const POSTGRES = 'PostgreSQL';
/** The machine's clock is compared even while no store answers: it may be set at any time. */
const COMPARED_EVERY_MS = 1_000;

const READ_ONLY =
  'PostgreSQL takes no changes: it is a standby, or default_transaction_read_only is on. Requests are served with what is known; usage waits. Point DATABASE_URL at the primary, or set the server to read and write.';
const AWAY = 'PostgreSQL does not answer. Requests are served with what is known; usage waits.';
const NEVER_READY =
  'PostgreSQL has not taken a change since this process began, so nothing that it serves could be written down.';

export interface StoresWatchOptions {
  /** Null when PostgreSQL is the ledger. */
  readonly redis: RedisClient | null;
  readonly clockDifferenceMsMax: number;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called at every change, and once at the beginning. */
  readonly onState: (state: StoresState) => void;
}

/** The state of the stores, for metrics. */
export interface StoresStatus {
  readonly postgresReady: boolean;
  readonly clocks: readonly ClockReading[];
  /** Null when PostgreSQL is the ledger. */
  readonly redisFaults: readonly RedisFault[] | null;
}

/**
 * Watches the stores while the process runs: whether PostgreSQL answers and takes changes, what the
 * clocks of the stores say, and how Redis is set. It sends the threads the time at the
 * stores and whether the process may get requests.
 *
 * PostgreSQL, as far as this process knows: unproven -> ready <-> read-only or away. Only
 * `unproven` keeps requests off: a gateway whose ledger is Redis serves without PostgreSQL for a
 * while, and a load balancer that then left out all of them would turn an outage of the books into
 * one of the service.
 */
export class StoresWatch {
  readonly #options: StoresWatchOptions;
  readonly #database = new ClockMeasurement();
  readonly #redisClocks: RedisClocks | null;
  readonly #settings: SettingsWatch | null;
  readonly #timer: NodeJS.Timeout;
  #postgres: 'unproven' | 'ready' | 'read_only' | 'away' = 'unproven';
  #wasReady = false;
  #differences: readonly ClockDifference[] = [];
  #loggedClocks = '';
  #state: StoresState | undefined;

  constructor(options: StoresWatchOptions) {
    this.#options = options;
    const { redis, logger } = options;
    this.#settings = redis === null ? null : new SettingsWatch({ redis, log: logger });
    this.#redisClocks =
      redis === null ? null : new RedisClocks(redis, () => this.#settings?.checkSoon());
    this.#timer = setInterval(() => {
      this.#compareClocks();
      // What is measured counts at once: until then new requests look old to a clock that has
      // jumped.
      void this.#redisClocks?.measure().then(() => this.#compareClocks());
    }, COMPARED_EVERY_MS);
    this.#timer.unref();
  }

  /** Resolves when the clock of Redis is known and its settings were checked once. */
  async begin(): Promise<void> {
    await this.#settings?.check();
    await this.#redisClocks?.measure();
    this.#compareClocks();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#settings?.stop();
  }

  postgresAnswers({ isReadOnly, clock }: DatabaseState): void {
    this.#measured(clock);
    const before = this.#postgres;
    this.#postgres = isReadOnly ? 'read_only' : 'ready';
    this.#wasReady ||= !isReadOnly;
    const { logger } = this.#options;
    if (isReadOnly && before !== 'read_only') logger.error(READ_ONLY);
    if (!isReadOnly && before === 'read_only') logger.info('PostgreSQL accepts writes again');
    this.#publish();
  }

  postgresAway(): void {
    this.#postgres = 'away';
    this.#publish();
  }

  status(): StoresStatus {
    return {
      postgresReady: this.#postgres === 'ready',
      clocks: this.#readings(),
      redisFaults: this.#settings?.faults ?? null,
    };
  }

  state(): StoresState {
    return { postgresReady: this.#postgres === 'ready', notReady: this.#notReady() };
  }

  /** For the console's overview. */
  problems(): Problem[] {
    const { clockDifferenceMsMax } = this.#options;
    const problems: Problem[] = this.#differences.map(({ aheadMs, message }) => ({
      kind: 'clock',
      severity: Math.abs(aheadMs) > clockDifferenceMsMax ? 'error' : 'warning',
      message,
    }));
    if (this.#postgres === 'read_only') {
      problems.push({ kind: 'postgres', severity: 'error', message: READ_ONLY });
    } else if (this.#postgres === 'away') {
      problems.push({ kind: 'postgres', severity: 'error', message: AWAY });
    }
    for (const { severity, message } of this.#settings?.faults ?? []) {
      problems.push({ kind: 'redis', severity, message });
    }
    return problems;
  }

  #measured(sample: ClockSample): void {
    const offsetMs = this.#database.add(sample);
    setStoreClock('database', offsetMs);
    if (this.#redisClocks === null) setStoreClock('ledger', offsetMs);
  }

  #compareClocks(): void {
    const offsetMs = this.#redisClocks?.offsetMs;
    if (offsetMs !== undefined) setStoreClock('ledger', offsetMs);
    this.#differences = findDifferences(this.#readings());
    this.#logClocks();
    this.#publish();
  }

  #readings(): ClockReading[] {
    const machineOffsetMs = Date.now() - performance.now();
    const offsets = [...(this.#redisClocks?.offsets() ?? [])];
    const { offsetMs } = this.#database;
    if (offsetMs !== undefined) offsets.push({ name: POSTGRES, offsetMs });
    return offsets.map(({ name, offsetMs: ofStore }) => ({
      name,
      differenceMs: Math.round(ofStore - machineOffsetMs),
    }));
  }

  /** One line when a clock goes astray, when it passes the bound, and when all agree again. */
  #logClocks(): void {
    const { logger, clockDifferenceMsMax: boundMs } = this.#options;
    const state = this.#differences
      .map(
        ({ name, aheadMs }) =>
          `${name} ${Math.sign(aheadMs) * (Math.abs(aheadMs) > boundMs ? 2 : 1)}`,
      )
      .join();
    if (state === this.#loggedClocks) return;
    this.#loggedClocks = state;
    for (const { name, aheadMs, message } of this.#differences) {
      const level = Math.abs(aheadMs) > boundMs ? 'error' : 'warn';
      logger[level]({ clock: name, aheadMs }, message);
    }
    if (state === '') logger.info('the clocks of this machine and of the stores agree again');
  }

  #notReady(): string | null {
    if (!this.#wasReady) return NEVER_READY;
    const { clockDifferenceMsMax: boundMs } = this.#options;
    // The clocks that file money; where Redis is the ledger, that of PostgreSQL is only reported.
    const ledgers = this.#readings().filter(
      ({ name }) => this.#redisClocks === null || name !== POSTGRES,
    );
    const astray = ledgers.find(({ differenceMs }) => Math.abs(differenceMs) > boundMs);
    if (astray === undefined) return null;
    const { name, differenceMs } = astray;
    const how = differenceMs < 0 ? 'ahead of' : 'behind';
    return `The clock of this machine is ${spanText(Math.abs(differenceMs))} ${how} that of ${name}, by which money is filed.`;
  }

  #publish(): void {
    const state = this.state();
    const known = this.#state;
    if (known?.postgresReady === state.postgresReady && known.notReady === state.notReady) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
