import { setTimeout as sleep } from 'node:timers/promises';
import { accountIdsOf, type FaultFixture } from './fault-fixture.ts';

const LOOK_EVERY_MS = 50;

/** Looks at the balances all the time: I1 holds at every moment, not only when all is calm. */
export class BalanceWatch {
  readonly violations: string[] = [];
  readonly #fixture: FaultFixture;
  readonly #done: Promise<void>;
  #stopping = false;

  constructor(fixture: FaultFixture) {
    this.#fixture = fixture;
    this.#done = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      // While the ledger is away there is nothing to look at.
      await this.#look().catch(() => undefined);
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #look(): Promise<void> {
    const { ledger } = this.#fixture;
    for (const [id, funds] of await ledger.funds(accountIdsOf(this.#fixture))) {
      if (funds.available >= 0 && funds.held >= 0) continue;
      this.violations.push(`I1: account ${id} has ${funds.available}, held ${funds.held}`);
    }
  }
}
