import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { CreditEntry, Ledger } from '../../gateway/ledger/ledger.ts';
import { Auditor } from './auditor.ts';
import { type Customer, populate } from './population.ts';
import { Random } from './random.ts';
import { type Step, Workload } from './workload.ts';

const USD = 1_000_000_000;
const DAY_MS = 86_400_000;

export interface SimulationOptions {
  readonly seed: number;
  readonly ledger: Ledger;
  readonly pool: pg.Pool;
  /** Says what time it is in the store. */
  readonly setClock: (nowMs: number) => void;
  readonly customers: number;
  /** Calls sent at the same time. */
  readonly stepsPerRoundMax: number;
  /** True when calls sent in order arrive in order; else each account has one call at a time. */
  readonly ordered: boolean;
  /** A hold is noticed to have expired this long after its time. */
  readonly expiryNoticeMs: number;
  /** Time for which a closed request is remembered, on the clock that is set here. */
  readonly closedMemoryMs: number;
  /** One in so many rounds jumps by up to so many days. */
  readonly jumpEvery: number;
  readonly jumpDaysMax: number;
  /** Ends when this is over, or so many calls were made. */
  readonly untilMs: number;
  readonly stepsMax: number;
}

export interface SimulationReport {
  readonly operations: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly simulatedDays: number;
  /** Deviations from the auditor's predictions; empty when all is well. */
  readonly deviations: readonly string[];
  /**
   * The auditor, with which PostgreSQL must agree once everything has reached it (compare-book.ts).
   */
  readonly auditor: Auditor;
}

/**
 * Lets a seeded workload loose on a ledger and compares every answer with the auditor's. Stops at
 * the first deviation.
 */
export async function runSimulation(options: SimulationOptions): Promise<SimulationReport> {
  return new Simulation(options).run();
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #random: Random;
  readonly #auditor = new Auditor();
  readonly #workload: Workload;
  /** Customers who make requests now, and all who ever did. */
  readonly #customers: Customer[];
  readonly #everyone: Customer[];
  readonly #startMs: number;
  readonly #outcomes: Record<string, number> = {};
  readonly #deviations: string[] = [];
  #nowMs: number;
  #operations = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#workload = new Workload(this.#random, this.#auditor);
    // The real clock's future, because the stores' own memories end by the real clock; shortly
    // before a month does.
    const date = new Date();
    this.#startMs = Date.UTC(date.getUTCFullYear() + 1, 0, 30, 23, 0, 0);
    this.#nowMs = this.#startMs;
    this.#customers = populate(this.#random, options.customers, this.#startMs);
    this.#everyone = [...this.#customers];
  }

  async run(): Promise<SimulationReport> {
    this.#advanceTo(this.#nowMs);
    for (const customer of this.#customers) await this.#begin(customer);
    for (let round = 1; !this.#isOver(); round += 1) {
      await this.#round();
      if (round % 4 === 0) await this.#credits();
      if (round % 40 === 0) await this.#expire();
      if (round % 100 === 0) await this.#compareStates(this.#customers);
      if (round % 150 === 0) await this.#replaceCustomer();
      this.#letTimePass();
    }
    await this.#expire();
    await this.#compareStates(this.#everyone);
    return {
      operations: this.#operations,
      outcomes: this.#outcomes,
      simulatedDays: (this.#nowMs - this.#startMs) / DAY_MS,
      deviations: this.#deviations,
      auditor: this.#auditor,
    };
  }

  #isOver(): boolean {
    return (
      this.#deviations.length > 0 ||
      this.#operations >= this.#options.stepsMax ||
      performance.now() >= this.#options.untilMs
    );
  }

  #advanceTo(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#options.setClock(nowMs);
  }

  #letTimePass(): void {
    const random = this.#random;
    const roll = random.next();
    let ms = random.between(0, 2_000);
    if (random.between(1, this.#options.jumpEvery) === 1) {
      ms = random.between(1, this.#options.jumpDaysMax) * DAY_MS;
    } else if (roll < 0.02) ms = random.between(60_000, 3_600_000);
    else if (roll < 0.2) ms = random.between(2_000, 60_000);
    this.#advanceTo(this.#nowMs + ms);
  }

  async #begin(customer: Customer): Promise<void> {
    const { accountId, zone } = customer;
    const isBudgeted = customer.payers.some(({ account }) => (account.budgets ?? []).length > 0);
    const { pool } = this.#options;
    await pool.query(
      `insert into accounts (id, name, budgeted) values ($1::uuid, 'simulated', $2)`,
      [accountId, isBudgeted],
    );
    Object.assign(this.#auditor.account(accountId), { zone, isBudgeted });
    if (zone !== 'UTC') await this.#moveToZone(customer);
    const { payers } = customer;
    const entry = await this.#addCredit(accountId, this.#random.between(0, 500) * USD);
    // Not loaded yet: the first entry arrives with the load.
    this.#auditor.credit(entry, this.#nowMs);
    // In Redis the calls of one tick travel in one script call, where none is the first.
    if (!this.#options.ordered) await this.#check(this.#workload.firstUse(payers, this.#nowMs));
    for (const payer of payers) {
      for (const step of this.#workload.warmUp(payer, this.#nowMs)) await this.#check([step]);
    }
  }

  /** The gateway gets the calendar with the key; here all payers of the account get it. */
  async #moveToZone({ accountId, payers, zone }: Customer): Promise<void> {
    const { pool } = this.#options;
    await pool.query(
      `insert into account_time_zones (account_id, zone, since) values ($1, $2, '-infinity')`,
      [accountId, zone],
    );
    const { rows } = await pool.query<{ calendar: number[] }>(
      'select to_jsonb(account_calendar($1, from_ms($2))) as calendar',
      [accountId, this.#startMs],
    );
    for (const payer of payers) Object.assign(payer.account, { calendar: rows[0]?.calendar });
  }

  /**
   * Somebody new comes, and somebody leaves, with requests open: a long run never ends with all
   * budgets used up.
   */
  async #replaceCustomer(): Promise<void> {
    for (const customer of populate(this.#random, 1, this.#nowMs)) {
      await this.#begin(customer);
      this.#customers[this.#random.between(0, this.#customers.length - 1)] = customer;
      this.#everyone.push(customer);
    }
  }

  async #round(): Promise<void> {
    const { stepsPerRoundMax, ordered } = this.#options;
    const count = this.#random.between(1, stepsPerRoundMax);
    const steps: Step[] = [];
    const busy = new Set<string>();
    for (let step = 0; step < count; step += 1) {
      const customer = this.#random.pick(this.#customers);
      if (!ordered && busy.has(customer.accountId)) continue;
      busy.add(customer.accountId);
      steps.push(await this.#workload.step(customer, this.#nowMs));
    }
    await this.#check(steps);
  }

  /** Sends all at once and compares what comes back. */
  async #check(steps: readonly Step[]): Promise<void> {
    const answers = await Promise.all(steps.map((step) => step.run(this.#options.ledger)));
    for (const [index, { what, expected, differences = [] }] of steps.entries()) {
      const answer = answers[index];
      this.#deviations.push(...differences);
      this.#operations += 1;
      const code = 'code' in expected ? String(expected.code) : '';
      const name = `${what.slice(0, what.indexOf(' '))} ${code}`;
      this.#outcomes[name] = (this.#outcomes[name] ?? 0) + 1;
      if (!isDeepStrictEqual(answer, expected)) this.#deviate(what, expected, answer);
    }
  }

  #deviate(what: string, expected: unknown, answer: unknown): void {
    const at = `at ${new Date(this.#nowMs).toISOString()}`;
    this.#deviations.push(
      `${what} ${at}\n  expected ${JSON.stringify(expected)}\n  answered ${JSON.stringify(answer)}`,
    );
  }

  async #addCredit(
    accountId: string,
    amountNanoUsd: number,
    holdId: string | null = null,
  ): Promise<CreditEntry> {
    const entryId = this.#random.uuid();
    const { rows } = await this.#options.pool.query<{ sequence: number }>(
      `select sequence from add_credit($1, $2, $3, 'adjustment', '', 'simulator', $4)`,
      [entryId, accountId, amountNanoUsd, holdId],
    );
    return { entryId, accountId, sequence: rows[0]?.sequence ?? 0, amountNanoUsd, holdId };
  }

  /** Some credits for one account, told to the ledger out of order and more than once. */
  async #credits(): Promise<void> {
    const customer = this.#random.pick(this.#customers);
    const { accountId } = customer;
    const entries: CreditEntry[] = [];
    for (let count = this.#random.between(1, 3); count > 0; count -= 1) {
      const amount = this.#random.between(-80, 300) * USD + this.#random.between(0, 9);
      const holdId = this.#workload.heldBy(customer, this.#nowMs);
      entries.push(await this.#addCredit(accountId, amount, holdId));
    }
    const told = [...entries].reverse().concat(entries, entries);
    for (const entry of told) {
      const expected = this.#auditor.credit(entry, this.#nowMs);
      const what = `credit ${JSON.stringify(entry)}`;
      await this.#check([{ what, expected, run: (ledger) => ledger.credit(entry) }]);
    }
  }

  async #expire(): Promise<void> {
    // Whether a hold that has only just expired is noticed yet is the store's own affair.
    while (this.#isAnyJustExpired()) {
      this.#advanceTo(this.#nowMs + this.#options.expiryNoticeMs);
    }
    const expected = this.#auditor.expire(this.#nowMs, this.#options.closedMemoryMs);
    let closed = 0;
    let found: number;
    do {
      found = await this.#options.ledger.expire(1_000_000);
      closed += found;
    } while (found > 0);
    this.#operations += 1;
    if (closed !== expected) this.#deviate('expire', expected, closed);
  }

  #isAnyJustExpired(): boolean {
    const { expiryNoticeMs } = this.#options;
    for (const account of this.#auditor.accounts.values()) {
      for (const fate of account.requests.values()) {
        if (fate.state !== 'open') continue;
        const { expiresAtMs } = fate.hold;
        if (expiresAtMs <= this.#nowMs && expiresAtMs > this.#nowMs - expiryNoticeMs) return true;
      }
    }
    return false;
  }

  async #compareStates(customers: readonly Customer[]): Promise<void> {
    for (const { accountId } of customers) {
      const expected = this.#auditor.state(accountId);
      const answer = await this.#options.ledger.accountState(accountId);
      if (!isDeepStrictEqual(answer, expected)) this.#deviate('accountState', expected, answer);
    }
  }
}
