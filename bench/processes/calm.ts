import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeUs, machineBusyUs } from './process-tree.ts';

const SLICE_MS = 400;
/** Other programs may use this share of the machine. */
const OTHERS_SHARE_MAX = 0.08;

/**
 * Waits for a moment in which other programs leave the machine alone, within a budget for the whole
 * run. Nothing is hidden by it: what others used during a measurement is written down with it.
 */
export class Calm {
  #budgetMs: number;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  async wait(): Promise<void> {
    while (this.#budgetMs > 0) {
      const startedMs = performance.now();
      const before = machineBusyUs() - cpuTimeUs(process.pid);
      await sleep(SLICE_MS);
      const elapsedMs = performance.now() - startedMs;
      const othersUs = machineBusyUs() - cpuTimeUs(process.pid) - before;
      if (othersUs / (elapsedMs * 1000 * availableParallelism()) <= OTHERS_SHARE_MAX) return;
      this.#budgetMs -= elapsedMs;
    }
  }
}
