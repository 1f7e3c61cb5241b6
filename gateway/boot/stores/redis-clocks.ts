import type { RedisClient } from '../../stores/redis/connect.ts';
import { primariesOf, type Primary } from '../../stores/redis/primaries.ts';
import { ClockMeasurement } from '../../platform/clock/clock-measurement.ts';

const MS_PER_SECOND = 1_000;
const US_PER_MS = 1_000;

interface StoreOffset {
  readonly name: string;
  /** From `performance.now()` to the store's clock. */
  readonly offsetMs: number;
}

class PrimaryClock {
  readonly measurement = new ClockMeasurement();
  #asking: Promise<void> | undefined;

  /** A server that hangs still has its question; another would only wait behind it. */
  ask({ node }: Primary): Promise<void> {
    this.#asking ??= this.#ask(node)
      .catch(() => undefined)
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  async #ask(node: Primary['node']): Promise<void> {
    const sentAtMs = performance.now();
    const [seconds, microseconds] = await node.time();
    const receivedAtMs = performance.now();
    const remoteMs = Number(seconds) * MS_PER_SECOND + Math.floor(Number(microseconds) / US_PER_MS);
    this.measurement.add({ remoteMs, sentAtMs, receivedAtMs });
  }
}

/** The clocks of all primaries of Redis. */
export class RedisClocks {
  readonly #redis: RedisClient;
  readonly #onNewPrimary: () => void;
  #clocks = new Map<string, PrimaryClock>();

  /** @param onNewPrimary another server takes writes: a cluster has failed over or grown */
  constructor(redis: RedisClient, onNewPrimary: () => void) {
    this.#redis = redis;
    this.#onNewPrimary = onNewPrimary;
  }

  /** Asks every primary. Resolves when all have answered or failed; never rejects. */
  async measure(): Promise<void> {
    if (this.#redis.status !== 'ready') return;
    const primaries = primariesOf(this.#redis);
    const known = this.#clocks;
    this.#clocks = new Map(
      primaries.map(({ name }) => [name, known.get(name) ?? new PrimaryClock()]),
    );
    if (known.size > 0 && primaries.some(({ name }) => !known.has(name))) this.#onNewPrimary();
    await Promise.all(
      primaries.map(async (primary) => {
        await this.#clocks.get(primary.name)?.ask(primary);
      }),
    );
  }

  /** Returns the offsets by the last replies. */
  offsets(): StoreOffset[] {
    return [...this.#clocks].flatMap(
      ([
        name,
        {
          measurement: { offsetMs },
        },
      ]) => (offsetMs === undefined ? [] : [{ name, offsetMs }]),
    );
  }

  /**
   * The offset by which requests are dated. For a cluster it is the median: each primary judges its
   * accounts by its own clock, and must not take their requests for old ones.
   */
  get offsetMs(): number | undefined {
    const offsets = this.offsets().map(({ offsetMs }) => offsetMs);
    return offsets.toSorted((a, b) => a - b)[Math.floor(offsets.length / 2)];
  }
}
