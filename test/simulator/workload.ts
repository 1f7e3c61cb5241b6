import type { HoldRequest, Ledger, Payer } from '../../gateway/ledger/ledger.ts';
import type { AccountModel, OpenHold } from './account-model.ts';
import type { Auditor } from './auditor.ts';
import type { Customer } from './population.ts';
import type { Random } from './random.ts';
import { Shop, type Sale } from './sales/shop.ts';

const USD = 1_000_000_000;

/** One call: what is sent, and what must come back. */
export interface Step {
  readonly what: string;
  /** Sentences on a bill that is not what the auditor has computed. */
  readonly differences?: readonly string[];
  readonly expected: object;
  readonly run: (ledger: Ledger) => Promise<object>;
}

/** A hold that was sent, so that it can be settled, repeated and mistaken later. */
interface Sent {
  readonly hold: HoldRequest;
  readonly settled: number | undefined;
}

const KEPT = 60;
/** Holds that are for a reply of a model, and settled by its bill; others are for amounts. */
const SALES = 0.5;
/** One call for each connection of the simulator: all meet the account at the same time. */
const FIRST_CALLS = 12;
/**
 * Mistakes are made on purpose: a share of the calls repeats, contradicts or comes without what it
 * needs.
 */
const REPEATED = 0.08;

/**
 * Makes up calls from a seed, and lets the auditor say what each must answer. Calls of one account
 * are in order.
 */
export class Workload {
  readonly #random: Random;
  readonly #auditor: Auditor;
  readonly #shop: Shop;
  readonly #sent = new Map<string, Sent[]>();
  /** By request id. */
  readonly #sales = new Map<string, Sale>();

  constructor(random: Random, auditor: Auditor) {
    this.#random = random;
    this.#auditor = auditor;
    this.#shop = new Shop(random);
  }

  async step(customer: Customer, nowMs: number): Promise<Step> {
    const random = this.#random;
    const account = this.#auditor.account(customer.accountId);
    const open = this.#openOf(customer, account);
    if (random.chance(REPEATED)) return this.#repeat(customer, nowMs);
    const roll = random.next();
    if (open.length === 0 || roll < 0.4) return this.#hold(customer, nowMs);
    const chosen = random.pick(open);
    if (roll < 0.75) return this.#settleReply(chosen.hold, nowMs);
    if (roll < 0.83) return this.#release(chosen.hold, nowMs);
    return this.#extend(chosen.hold, account, nowMs);
  }

  /**
   * Calls that make the stores load the payer, and the gateway learn the epoch of the payer's
   * partition: both are answered by a repetition, which would overtake what was sent after it. One
   * after the other.
   */
  warmUp(payer: Payer, nowMs: number): Step[] {
    return [
      this.#sendHold(this.#holdOf(payer, nowMs), nowMs),
      this.#settle(this.#holdOf(payer, nowMs), 0, nowMs),
    ];
  }

  /**
   * Calls that all meet an account which the store has never had. They are sent at once, so their
   * answers do not depend on their order.
   */
  firstUse(payers: readonly Payer[], nowMs: number): Step[] {
    return Array.from({ length: FIRST_CALLS }, (_none, index) => {
      const hold = this.#holdOf(this.#random.pick(payers), nowMs);
      return index % 2 === 0 ? this.#release(hold, nowMs) : this.#settle(hold, 0, nowMs);
    });
  }

  /**
   * Returns the hold that a credit replaces: one still open, of one long closed, of one that
   * never was, or none.
   */
  heldBy(customer: Customer, nowMs: number): string | null {
    const random = this.#random;
    if (random.chance(0.4)) return null;
    const { requests } = this.#auditor.account(customer.accountId);
    const known = this.#sentBy(customer.accountId).filter(({ hold }) =>
      requests.has(hold.requestId),
    );
    const chosen =
      known.length === 0 || random.chance(0.1)
        ? this.#holdOf(random.pick(customer.payers), nowMs)
        : random.pick(known).hold;
    return chosen.requestId;
  }

  #sentBy(accountId: string): Sent[] {
    let sent = this.#sent.get(accountId);
    if (sent === undefined) this.#sent.set(accountId, (sent = []));
    return sent;
  }

  #remember(hold: HoldRequest, settled?: number): void {
    const sent = this.#sentBy(hold.payer.account.id);
    const known = sent.findIndex((entry) => entry.hold.requestId === hold.requestId);
    if (known !== -1) sent.splice(known, 1);
    sent.push({ hold, settled });
    // Requests that are still open must not be forgotten, or nobody would ever settle them.
    const account = this.#auditor.account(hold.payer.account.id);
    while (sent.length > KEPT) {
      const surplus = sent.findIndex((entry) => fateOf(account, entry) !== 'open');
      if (surplus === -1) break;
      sent.splice(surplus, 1);
    }
    account.forgetClosed(4 * KEPT);
  }

  #openOf({ accountId }: Customer, account: AccountModel): Sent[] {
    return this.#sentBy(accountId).filter((entry) => fateOf(account, entry) === 'open');
  }

  #holdOf(payer: Payer, nowMs: number): HoldRequest {
    const random = this.#random;
    const amountNanoUsd = random.chance(0.05)
      ? random.pick([0, 1, 9_000_000 * USD])
      : random.between(1, 5 * USD);
    return {
      // Some requests took their time between their beginning and their hold.
      requestId: random.uuid(nowMs - (random.chance(0.05) ? random.between(0, 600_000) : 0)),
      payer,
      amountNanoUsd,
      minimumNanoUsd: random.chance(0.5) ? amountNanoUsd : random.between(0, amountNanoUsd),
      tokens: random.between(0, 2_000),
      ttlMs: random.pick([1_000, 30_000, 120_000, 120_000, 900_000]),
    };
  }

  #cost({ amountNanoUsd }: HoldRequest): number {
    const random = this.#random;
    if (random.chance(0.1)) return random.between(0, 3) * amountNanoUsd > 20 * USD ? USD : 3 * USD;
    return random.between(0, Math.min(amountNanoUsd, 5 * USD));
  }

  #hold(customer: Customer, nowMs: number): Step {
    const hold = this.#holdOf(this.#random.pick(customer.payers), nowMs);
    if (!this.#random.chance(SALES)) return this.#sendHold(hold, nowMs);
    const sale = this.#shop.begin(hold.payer);
    const { holdNanoUsd } = sale;
    const minimumNanoUsd = Math.min(hold.minimumNanoUsd, holdNanoUsd);
    const held = this.#sendHold({ ...hold, amountNanoUsd: holdNanoUsd, minimumNanoUsd }, nowMs);
    if ('code' in held.expected && held.expected.code === 'held') {
      this.#sales.set(hold.requestId, sale);
    }
    return held;
  }

  /** Settles the bill of a reply, or an amount. */
  async #settleReply(hold: HoldRequest, nowMs: number): Promise<Step> {
    const { requestId } = hold;
    const sale = this.#sales.get(requestId);
    if (sale === undefined) return this.#settle(hold, this.#cost(hold), nowMs);
    this.#sales.delete(requestId);
    const { settle, expected: bill, differences } = await this.#shop.settle(sale, requestId, nowMs);
    const expected = this.#auditor.settle(
      { ...settle, actualNanoUsd: Number(bill.costNanoUsd) },
      nowMs,
    );
    this.#auditor.bills.set(requestId, bill);
    this.#remember(hold, settle.actualNanoUsd);
    const what = describe('settle', settle);
    return { what, expected, differences, run: (ledger) => ledger.settle(settle) };
  }

  #sendHold(hold: HoldRequest, nowMs: number): Step {
    const expected = this.#auditor.hold(hold, nowMs);
    if (expected.code === 'held') this.#remember(hold);
    return { what: describe('hold', hold), expected, run: (ledger) => ledger.hold(hold) };
  }

  #settle(hold: HoldRequest, actualNanoUsd: number, nowMs: number): Step {
    const { requestId, payer } = hold;
    const tokens = this.#random.between(0, 3_000);
    const recordJson = recordOf(hold, actualNanoUsd, nowMs);
    const settle = { requestId, payer, actualNanoUsd, tokens, recordJson };
    const expected = this.#auditor.settle(settle, nowMs);
    this.#remember(hold, actualNanoUsd);
    return { what: describe('settle', settle), expected, run: (ledger) => ledger.settle(settle) };
  }

  #release({ requestId, payer }: HoldRequest, nowMs: number): Step {
    const release = { requestId, accountId: payer.account.id };
    const expected = this.#auditor.release(release, nowMs);
    return { what: describe('release', release), expected, run: (l) => l.release(release) };
  }

  #extend(hold: HoldRequest, account: AccountModel, nowMs: number): Step {
    const random = this.#random;
    const fate = account.requests.get(hold.requestId);
    const known: OpenHold | undefined = fate?.state === 'open' ? fate.hold : undefined;
    const amountNanoUsd = random.chance(0.3) ? 0 : random.between(1, 3 * USD);
    const extend = {
      requestId: hold.requestId,
      payer: hold.payer,
      extension: (known?.extension ?? 0) + (random.chance(0.2) ? 0 : 1),
      amountNanoUsd,
      minimumNanoUsd: random.between(0, amountNanoUsd),
      ttlMs: random.pick([120_000, 900_000]),
    };
    const expected = this.#auditor.extend(extend, nowMs);
    return { what: describe('extend', extend), expected, run: (l) => l.extend(extend) };
  }

  /** Repeats a call, contradicts it, or makes one for a request that never was. */
  #repeat(customer: Customer, nowMs: number): Step {
    const random = this.#random;
    const sent = this.#sentBy(customer.accountId);
    const known = this.#auditor.account(customer.accountId).requests;
    const repeatable = sent.filter(({ hold }) => known.has(hold.requestId));
    if (repeatable.length === 0 || random.chance(0.15)) {
      const stranger = this.#holdOf(random.pick(customer.payers), nowMs);
      return random.chance(0.5)
        ? this.#settle(stranger, random.between(0, USD), nowMs)
        : this.#release(stranger, nowMs);
    }
    const { hold, settled } = random.pick(repeatable);
    switch (random.between(0, 4)) {
      case 0:
        return this.#sendHold(hold, nowMs);
      case 1:
        return this.#sendHold({ ...hold, tokens: hold.tokens + random.between(0, 1) }, nowMs);
      case 2:
        return this.#settle(hold, settled ?? this.#cost(hold), nowMs);
      case 3:
        return this.#release(hold, nowMs);
      default:
        return this.#extend(hold, this.#auditor.account(customer.accountId), nowMs);
    }
  }
}

function fateOf(account: AccountModel, { hold }: Sent): string | undefined {
  return account.requests.get(hold.requestId)?.state;
}

function describe(verb: string, request: object): string {
  return `${verb} ${JSON.stringify(request)}`;
}

function recordOf({ requestId, payer }: HoldRequest, costNanoUsd: number, nowMs: number): string {
  return JSON.stringify({
    requestId,
    accountId: payer.account.id,
    keyId: payer.key.id,
    groupId: payer.group.id,
    ...(payer.member && { memberId: payer.member.id }),
    ...(payer.team && { teamId: payer.team.id }),
    model: 'simulated',
    channelId: null,
    createdAtMs: nowMs,
    status: 'completed',
    httpStatus: 200,
    stream: false,
    input: 10,
    cachedInput: 0,
    cacheWrite: 0,
    output: 5,
    reasoning: 0,
    inputNanoUsd: 1,
    cachedInputNanoUsd: 1,
    cacheWriteNanoUsd: 1,
    outputNanoUsd: 1,
    perCallNanoUsd: 0,
    multiplierPpm: 1_000_000,
    costNanoUsd,
    estimated: false,
    capped: false,
    attempts: 1,
    latencyMs: 1,
    firstByteMs: null,
  });
}
