import type { AllowanceWindow, SubscriptionTerms } from '../../gateway/ledger/ledger.ts';
import { type Period, periodStartOf, windowOf } from './calendar.ts';

/**
 * The auditor's model of an account, in BigInt and by its own arithmetic. Amounts are
 * nanodollars.
 */
export interface Part {
  readonly subscription: SubscriptionTerms;
  amount: bigint;
}

export interface OpenHold {
  readonly requestId: string;
  readonly keyId: string;
  readonly groupId: string;
  readonly amount: number;
  readonly minimum: number;
  readonly tokens: number;
  readonly keyTpm: number | null;
  readonly groupTpm: number | null;
  expiresAtMs: number;
  extension: number;
  balance: bigint;
  parts: Part[];
  /** Scopes with a budget, against which it counts. */
  readonly scopes: readonly string[];
}

export interface Charge {
  readonly balance: bigint;
  readonly subscription: bigint;
  readonly uncollected: bigint;
}

export type Fate =
  | { readonly state: 'open'; readonly hold: OpenHold }
  | { readonly state: 'settled'; readonly charge: Charge; readonly closedAtMs: number }
  /** Released also stands for what was closed so long ago that the ledger has forgotten how. */
  | { readonly state: 'released' | 'expired'; readonly closedAtMs: number };

/** Counts something per minute: when, and how much of it. */
export interface Meter {
  level: bigint;
  atMs: number;
  /** The limit under which the level was set. */
  perMinute: number;
}

function newMeter(): Meter {
  return { level: 0n, atMs: 0, perMinute: 0 };
}

/** Something that has a budget: an account, a team, a member or a key. */
export class SpendModel {
  inFlight = 0;
  held = 0n;
  readonly spent = new Map<string, bigint>();

  spentIn(period: Period, nowMs: number, zone: string): bigint {
    return this.spent.get(`${period} ${String(periodStartOf(period, nowMs, zone))}`) ?? 0n;
  }

  spend(amount: bigint, nowMs: number, zone: string): void {
    for (const period of ['total', 'day', 'month'] as const) {
      const name = `${period} ${String(periodStartOf(period, nowMs, zone))}`;
      this.spent.set(name, (this.spent.get(name) ?? 0n) + amount);
    }
  }
}

export class KeyModel extends SpendModel {
  readonly requests = newMeter();
  readonly tokens = newMeter();
}

export class SubscriptionModel {
  held = 0n;
  readonly used = new Map<string, bigint>();

  usedIn(window: AllowanceWindow, startedAtMs: number, nowMs: number): bigint {
    return this.used.get(`${window} ${String(windowOf(window, startedAtMs, nowMs)[0])}`) ?? 0n;
  }

  use(amount: bigint, startedAtMs: number, nowMs: number): void {
    for (const window of ['5h', 'day', 'week', 'month'] as const) {
      const name = `${window} ${String(windowOf(window, startedAtMs, nowMs)[0])}`;
      this.used.set(name, (this.used.get(name) ?? 0n) + amount);
    }
  }
}

export class AccountModel {
  available = 0n;
  held = 0n;
  owed = 0n;
  sequence = 0;
  inFlight = 0;
  zone = 'UTC';
  /** Some of its payers have a budget of the account. */
  isBudgeted = false;
  /** Everything that ever came in, and everything that was ever charged to the balance. */
  credited = 0n;
  settled = 0n;
  readonly totals = { records: 0, subscription: 0n, uncollected: 0n };
  readonly keys = new Map<string, KeyModel>();
  readonly scopes = new Map<string, SpendModel>();
  readonly groups = new Map<string, { requests: Meter; tokens: Meter }>();
  readonly subscriptions = new Map<string, SubscriptionModel>();
  readonly requests = new Map<string, Fate>();

  key(id: string): KeyModel {
    let key = this.keys.get(id);
    if (key === undefined) this.keys.set(id, (key = new KeyModel()));
    return key;
  }

  scope(name: string): SpendModel {
    let scope = this.scopes.get(name);
    if (scope === undefined) this.scopes.set(name, (scope = new SpendModel()));
    return scope;
  }

  group(id: string): { requests: Meter; tokens: Meter } {
    let group = this.groups.get(id);
    if (group === undefined) {
      group = { requests: newMeter(), tokens: newMeter() };
      this.groups.set(id, group);
    }
    return group;
  }

  subscription(id: string): SubscriptionModel {
    let subscription = this.subscriptions.get(id);
    if (subscription === undefined) {
      this.subscriptions.set(id, (subscription = new SubscriptionModel()));
    }
    return subscription;
  }

  /** Forgets closed requests beyond the newest ones; they are not repeated any more. */
  forgetClosed(keep: number): void {
    let surplus = this.requests.size - keep;
    for (const [id, fate] of this.requests) {
      if (surplus <= 0) return;
      if (fate.state === 'open' || fate.state === 'expired') continue;
      this.requests.delete(id);
      surplus -= 1;
    }
  }

  /**
   * Forgets details of requests closed before this, as the ledger does: a settle that comes now
   * charges nothing.
   */
  forgetHow(closedBeforeMs: number): void {
    for (const [id, fate] of this.requests) {
      if (fate.state === 'open' || fate.closedAtMs >= closedBeforeMs) continue;
      this.requests.set(id, { state: 'released', closedAtMs: fate.closedAtMs });
    }
  }

  /** Money comes in or back; debts are paid first. */
  receive(amount: bigint): void {
    this.available += amount;
    const paid = this.available < this.owed ? this.available : this.owed;
    this.available -= paid;
    this.owed -= paid;
  }

  /** I1 and I2 of the contract, and that debts and money never stand side by side. */
  check(): void {
    if (this.available < 0n || this.held < 0n || this.owed < 0n) throw new Error('I1: negative');
    if (this.available + this.held - this.owed !== this.credited - this.settled) {
      throw new Error('I2: available + held - owed is not credits - settled');
    }
    if (this.owed > 0n && this.available > 0n) throw new Error('owed alongside available money');
  }
}
