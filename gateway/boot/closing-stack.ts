import type { Logger } from 'pino';

interface Step {
  readonly name: string;
  readonly close: () => Promise<unknown> | undefined;
}

/** Shutdown is the reverse of boot: what was opened last is closed first, and one failure does not stop the rest. */
export class ClosingStack {
  readonly #steps: Step[] = [];

  push(name: string, close: Step['close']): void {
    this.#steps.push({ name, close });
  }

  async close(logger: Logger): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.close();
      } catch (error) {
        logger.error({ err: error }, `${step.name} did not close properly`);
      }
    }
  }
}
