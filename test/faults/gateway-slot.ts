import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../support/clocks/hang.ts';
import type { Weir } from '../support/weir.ts';

const PAUSE_MS = 200;

/**
 * A place for one gateway process: it is killed, and another one takes the place, on another port.
 */
export class GatewaySlot {
  readonly name: string;
  readonly #start: () => Promise<Weir>;
  /** The output of former processes in this slot. */
  readonly #outputs: string[] = [];
  #weir: Weir;

  private constructor(name: string, start: () => Promise<Weir>, weir: Weir) {
    this.name = name;
    this.#start = start;
    this.#weir = weir;
  }

  static async start(name: string, start: () => Promise<Weir>): Promise<GatewaySlot> {
    return new GatewaySlot(name, start, await start());
  }

  get url(): string {
    return this.#weir.url;
  }

  output(): string {
    return [...this.#outputs, this.#weir.output()].join('\n');
  }

  async kill(): Promise<void> {
    await this.#weir.end('SIGKILL');
    this.#outputs.push(this.#weir.output());
  }

  /** Starts another, as an orchestrator does: again when a store is just away. */
  async restart(): Promise<void> {
    const deadlineMs = Date.now() + HANG_MS;
    for (;;) {
      try {
        this.#weir = await this.#start();
        return;
      } catch (error) {
        if (Date.now() > deadlineMs) throw error;
        this.#outputs.push(String(error));
        await sleep(PAUSE_MS);
      }
    }
  }

  end(): Promise<number | null> {
    return this.#weir.end('SIGTERM');
  }
}
