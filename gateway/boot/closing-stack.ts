import type { Logger } from 'pino';

interface Step {
  readonly name: string;
  readonly close: () => Promise<unknown> | undefined;
  readonly msMax: number;
}

/**
 * Limit of a step that waits only for a store: an unresponsive store must not change the exit code
 * of the process.
 */
const STEP_MS_MAX = 2_000;

/**
 * Shutdown is the reverse of boot: what was opened last is closed first, and one that fails or
 * hangs does not stop the rest.
 */
export class ClosingStack {
  readonly #steps: Step[] = [];

  /** @param msMax how long the rest waits for this step */
  push(name: string, close: Step['close'], msMax = STEP_MS_MAX): void {
    this.#steps.push({ name, close, msMax });
  }

  async close(logger: Logger): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      const { name, close, msMax } = step;
      const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => giveUp('late'), msMax);
      try {
        if ((await Promise.race([close(), late])) === 'late') {
          logger.error(`${name} did not close within ${msMax} ms`);
        }
      } catch (error) {
        logger.error({ err: error }, `${name} did not close properly`);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
