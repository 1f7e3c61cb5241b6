import { setTimeout as sleep } from 'node:timers/promises';
import type { Ground } from '../ground/ground.ts';
import { cpuTimeUs } from '../processes/process-tree.ts';
import type { Sizes } from '../sizes.ts';
import { untilQuiet, type Target, type TargetName } from '../targets/target.ts';

const DRAIN_POLL_MS = 100;
/** Many times what the largest measurement leaves to drain. */
const DRAIN_WAIT_MS_MAX = 120_000;
const IDLE_SLICES = 4;

/**
 * What a gateway does after its replies. A request of Weir's is over when its record is in the book:
 * draining it to PostgreSQL, which begins two and a half seconds later, belongs to its cost. A baseline is
 * done with its reply.
 */
export class Afterwork {
  readonly #sizes: Sizes;
  readonly #groundOf: (name: TargetName) => Ground | undefined;
  readonly #idleUsPerSecond = new Map<TargetName, number>();

  /** `groundOf` answers the stores of a gateway, undefined for a baseline. */
  constructor(sizes: Sizes, groundOf: (name: TargetName) => Ground | undefined) {
    this.#sizes = sizes;
    this.#groundOf = groundOf;
  }

  /** True when what a scenario measures includes it; see Sizes.waitsForBook. */
  counts(scenario: string): boolean {
    const { waitsForBook } = this.#sizes;
    return waitsForBook === 'always' || waitsForBook === scenario;
  }

  /** Waits until a target has nothing left to do of what it was sent. */
  async untilDone(target: Target): Promise<void> {
    const ground = this.#groundOf(target.name);
    if (ground === undefined) return;
    const deadlineMs = performance.now() + DRAIN_WAIT_MS_MAX;
    while ((await ground.usageWaiting()) > 0) {
      if (performance.now() > deadlineMs) throw new Error('Usage records are not drained.');
      await sleep(DRAIN_POLL_MS);
    }
    await untilQuiet(target, this.#sizes.quietSliceMs);
  }

  /**
   * What a gateway uses while nobody asks it anything, in microseconds per second. Watched once, some
   * seconds after its start, when what the start left behind is compiled and collected; the calmest
   * slice counts, because the rest of a start may still come.
   */
  async idleUsPerSecond(target: Target): Promise<number> {
    const known = this.#idleUsPerSecond.get(target.name);
    if (known !== undefined) return known;
    const { idleSeconds, waitsForBook } = this.#sizes;
    if (this.#groundOf(target.name) === undefined || waitsForBook === 'never') return 0;
    await sleep(1000 * idleSeconds);
    await this.untilDone(target);
    const sliceSeconds = idleSeconds / IDLE_SLICES;
    let calmest = Infinity;
    for (let slice = 0; slice < IDLE_SLICES; slice += 1) {
      const before = cpuTimeUs(target.pid);
      await sleep(1000 * sliceSeconds);
      calmest = Math.min(calmest, (cpuTimeUs(target.pid) - before) / sliceSeconds);
    }
    this.#idleUsPerSecond.set(target.name, calmest);
    return calmest;
  }
}
