import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { StopReason } from '../../platform/errors/stop-code.ts';
import type { RealtimeTurn } from '../../protocols/realtime.ts';
import type { DeliveredStatus } from '../billing/billing.ts';
import type { SessionAccess } from './session-access.ts';
import { holdTurn, type TurnBill, type TurnTerms } from './turn-bill.ts';

export interface TurnsParts extends Omit<TurnTerms, 'principal'> {
  readonly access: SessionAccess;
}

/** A turn that nothing covers any more. */
export interface StoppedTurn {
  readonly turn: RealtimeTurn;
  readonly code: StopReason;
}

/** The turns of one session that are under way, and their bills. */
export class SessionTurns {
  readonly #parts: TurnsParts;
  readonly #onMoney: () => void;
  readonly #bills = new Map<RealtimeTurn, TurnBill>();
  /** Turns that no money is held for: nothing of them reaches the client. */
  readonly #refused = new WeakSet<RealtimeTurn>();

  /** @param onMoney called when a turn that had used up its hold may go on, or may not */
  constructor(parts: TurnsParts, onMoney: () => void) {
    this.#parts = parts;
    this.#onMoney = onMoney;
  }

  get size(): number {
    return this.#bills.size;
  }

  /** A turn has used up what is held for it, and an answer is awaited. */
  get mustWait(): boolean {
    return this.#all().some(({ meter, isEnding }) => !isEnding && meter.mustWait);
  }

  find(turn: RealtimeTurn): TurnBill | undefined {
    return this.#bills.get(turn);
  }

  isRefused(turn: RealtimeTurn): boolean {
    return this.#refused.has(turn);
  }

  async hold(turn: RealtimeTurn): Promise<TurnBill | Refusal> {
    const { access, ...terms } = this.#parts;
    const bill = await holdTurn(turn, { ...terms, principal: access.principal });
    if (isRefusal(bill)) {
      this.#refused.add(turn);
      return bill;
    }
    bill.meter.onAnswer(this.#onMoney);
    this.#bills.set(turn, bill);
    return bill;
  }

  async end(turn: RealtimeTurn, status: DeliveredStatus): Promise<void> {
    const bill = this.#bills.get(turn);
    if (bill === undefined) return;
    await bill.end(status);
    this.#bills.delete(turn);
  }

  async endAll(status: DeliveredStatus): Promise<void> {
    await Promise.all([...this.#bills.keys()].map((turn) => this.end(turn, status)));
  }

  underWay(): readonly RealtimeTurn[] {
    return [...this.#bills.keys()];
  }

  /** Returns a turn that must end here, once. */
  findStopped(): StoppedTurn | undefined {
    for (const [turn, bill] of this.#bills) {
      const code = bill.meter.stopCode;
      if (code !== null && !bill.isEnding && !bill.isStopped) {
        bill.isStopped = true;
        return { turn, code };
      }
    }
    return undefined;
  }

  /** Returns the turns that were asked for so long ago, and that the upstream has not begun. */
  unbegunSince(beforeMs: number): readonly RealtimeTurn[] {
    return [...this.#bills].flatMap(([turn, bill]) =>
      !bill.hasBegun && bill.startedAtMs < beforeMs ? [turn] : [],
    );
  }

  tick(nowMs: number): void {
    for (const { meter, isEnding } of this.#all()) if (!isEnding) meter.tick(nowMs);
  }

  #all(): TurnBill[] {
    return [...this.#bills.values()];
  }
}
