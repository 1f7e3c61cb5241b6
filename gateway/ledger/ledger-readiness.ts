import { causeOf } from '../platform/errors/cause-of.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerHealth } from './ledger-health.ts';
import type { LedgerLog } from './ledger-log.ts';

/** A ledger that takes longer refuses the holds of requests, too (LEDGER_TIMEOUT_MS). */
const PROBE_MS_MAX = 2_000;
/** A probe holds good for so long, so that a flood of `/ready` does not flood the store. */
const PROBE_KEPT_MS = 1_000;

/**
 * Decides whether requests could be paid for just now, by the thread's own traffic or, without any,
 * by a probe (Ledger.probe). Under load a probe would wait behind holds that succeed, and a gateway
 * that serves would be left out.
 */
export class LedgerReadiness {
  readonly #ledger: Pick<Ledger, 'probe'>;
  readonly #health: Pick<LedgerHealth, 'isProven'>;
  readonly #log: LedgerLog;
  #probing: Promise<void> | undefined;
  #last: { readonly isReady: boolean; readonly atMs: number } | undefined;
  #isLogged = false;

  constructor(
    ledger: Pick<Ledger, 'probe'>,
    health: Pick<LedgerHealth, 'isProven'>,
    log: LedgerLog,
  ) {
    this.#ledger = ledger;
    this.#health = health;
    this.#log = log;
  }

  /** Resolves within two seconds. */
  async isReady(): Promise<boolean> {
    if (this.#health.isProven) return true;
    const last = this.#last;
    if (last !== undefined && performance.now() - last.atMs < PROBE_KEPT_MS) return last.isReady;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), PROBE_MS_MAX);
    // One that hangs is waited for by all who ask.
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    const probed = this.#probing.then(() => this.#last?.isReady === true);
    return Promise.race([probed, late.then(() => false)]).finally(() => clearTimeout(timer));
  }

  async #probe(): Promise<void> {
    let isReady = true;
    try {
      await this.#ledger.probe();
      if (this.#isLogged) this.#log.info({}, 'the ledger takes the probe again');
      this.#isLogged = false;
    } catch (error) {
      isReady = false;
      const cause = causeOf(error);
      if (!this.#isLogged) this.#log.error({ cause }, 'the ledger takes no holds: not ready');
      this.#isLogged = true;
    }
    this.#last = { isReady, atMs: performance.now() };
  }
}
