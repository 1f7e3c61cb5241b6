import type {
  AccountState,
  CreditEntry,
  CreditOutcome,
  ExtendOutcome,
  ExtendRequest,
  HoldOutcome,
  HoldRefusal,
  HoldRequest,
  Payer,
  ReleaseOutcome,
  ReleaseRequest,
  SettleOutcome,
  SettleRequest,
} from '../../gateway/ledger/ledger.ts';
import { AccountModel, type Charge, type OpenHold, type Part } from './account-model.ts';
import { budgetRoom, correctMeter, rateRefusal, scopesOf, setMeter } from './limits-model.ts';
import { allowanceWaitMs, splitAmount } from './funds-model.ts';
import type { ExpectedBill } from './sales/bill-model.ts';

/**
 * Computes independently what the ledger must reply: plain steps in BigInt, one request after the
 * other, written from the contract and not from the stores. It predicts every outcome to the
 * nanodollar and every wait to the millisecond.
 */
export class Auditor {
  readonly accounts = new Map<string, AccountModel>();
  /** The bills of replies that were settled, by request id; their records must say the same. */
  readonly bills = new Map<string, ExpectedBill>();

  account(id: string): AccountModel {
    let account = this.accounts.get(id);
    if (account === undefined) this.accounts.set(id, (account = new AccountModel()));
    return account;
  }

  hold(request: HoldRequest, nowMs: number): HoldOutcome {
    const { payer } = request;
    const refusal = (
      code: HoldRefusal,
      retryAfterMs: number | null = null,
      affordable = 0n,
    ): HoldOutcome => {
      return { code, retryAfterMs, affordableNanoUsd: Number(affordable) };
    };
    if (payer.account.status !== 'active') return refusal('account_suspended');
    if (payer.key.status !== 'active') return refusal('key_disabled');
    if (payer.key.expiresAtMs !== null && payer.key.expiresAtMs <= nowMs)
      return refusal('key_expired');
    const account = this.account(payer.account.id);
    const known = account.requests.get(request.requestId);
    if (known !== undefined && known.state !== 'open') return refusal('request_closed');
    if (known !== undefined) {
      return isSame(known.hold, request)
        ? { code: 'exists', heldNanoUsd: Number(totalOf(known.hold)) }
        : refusal('request_conflict');
    }
    const key = account.key(payer.key.id);
    const minimum = BigInt(request.minimumNanoUsd);
    const budget = budgetRoom(account, payer, minimum, nowMs);
    if (budget.refusal !== undefined) return refusal(budget.refusal, budget.waitMs, budget.room);
    if (payer.key.concurrencyMax !== null && key.inFlight >= payer.key.concurrencyMax) {
      return refusal('key_concurrency_exceeded', 1_000);
    }
    if (payer.account.concurrencyMax !== null && account.inFlight >= payer.account.concurrencyMax) {
      return refusal('account_concurrency_exceeded', 1_000);
    }
    const rate = rateRefusal(account, request, nowMs);
    if (rate !== undefined) return refusal(rate.code, rate.waitMs);
    const wanted = min(BigInt(request.amountNanoUsd), budget.room);
    const split = splitAmount(account, payer, wanted, nowMs);
    const granted = split.balance + split.subscription;
    if (granted < minimum) {
      const waitMs = allowanceWaitMs(account, payer, minimum - account.available, nowMs);
      return refusal('insufficient_balance', waitMs, granted);
    }
    this.#open(account, request, split, nowMs);
    return { code: 'held', heldNanoUsd: Number(granted) };
  }

  #open(
    account: AccountModel,
    request: HoldRequest,
    split: { balance: bigint; parts: Part[]; subscription: bigint },
    nowMs: number,
  ): void {
    const { payer } = request;
    const key = account.key(payer.key.id);
    setMeter(account, request, nowMs);
    account.available -= split.balance;
    account.held += split.balance;
    account.inFlight += 1;
    key.inFlight += 1;
    key.held += split.balance + split.subscription;
    const scopes = scopesOf(payer).flatMap(([name, budgets]) => (budgets.length > 0 ? [name] : []));
    for (const name of scopes) {
      const scope = account.scope(name);
      scope.inFlight += 1;
      scope.held += split.balance + split.subscription;
    }
    for (const part of split.parts) {
      account.subscription(part.subscription.id).held += part.amount;
    }
    account.requests.set(request.requestId, {
      state: 'open',
      hold: {
        requestId: request.requestId,
        keyId: payer.key.id,
        groupId: payer.group.id,
        amount: request.amountNanoUsd,
        minimum: request.minimumNanoUsd,
        tokens: request.tokens,
        keyTpm: payer.key.tpm,
        groupTpm: payer.group.tpm,
        expiresAtMs: nowMs + request.ttlMs,
        extension: 0,
        balance: split.balance,
        parts: split.parts,
        scopes,
      },
    });
  }

  extend(request: ExtendRequest, nowMs: number): ExtendOutcome {
    const { payer } = request;
    const account = this.account(payer.account.id);
    const known = account.requests.get(request.requestId);
    if (known === undefined) return { code: 'hold_not_found' };
    if (known.state !== 'open') return { code: 'request_closed' };
    const { hold } = known;
    if (hold.extension >= request.extension) {
      return { code: 'exists', heldNanoUsd: Number(totalOf(hold)) };
    }
    if (request.amountNanoUsd > 0) {
      const key = account.key(payer.key.id);
      const minimum = BigInt(request.minimumNanoUsd);
      const { room, refusal } = budgetRoom(account, payer, minimum, nowMs);
      if (refusal !== undefined) return { code: refusal, affordableNanoUsd: Number(room) };
      const wanted = min(BigInt(request.amountNanoUsd), room);
      const split = splitAmount(account, payer, wanted, nowMs);
      const granted = split.balance + split.subscription;
      if (granted < minimum) {
        return { code: 'insufficient_balance', affordableNanoUsd: Number(granted) };
      }
      account.available -= split.balance;
      account.held += split.balance;
      key.held += granted;
      for (const name of hold.scopes) account.scope(name).held += granted;
      hold.balance += split.balance;
      for (const part of split.parts) {
        account.subscription(part.subscription.id).held += part.amount;
        addPart(hold.parts, part);
      }
    }
    hold.extension = request.extension;
    hold.expiresAtMs = nowMs + request.ttlMs;
    return { code: 'extended', heldNanoUsd: Number(totalOf(hold)) };
  }

  settle(request: SettleRequest, nowMs: number): SettleOutcome {
    const { payer } = request;
    const account = this.account(payer.account.id);
    const known = account.requests.get(request.requestId);
    if (known?.state === 'settled') return outcomeOf('exists', known.charge);
    if (known?.state === 'released') return { code: 'request_closed' };
    const actual = BigInt(request.actualNanoUsd);
    const paid =
      known?.state === 'open'
        ? this.#payFromHold(account, payer, known.hold, { actual, tokens: request.tokens, nowMs })
        : { balance: 0n, parts: [] };
    const missing = actual - paid.balance - sum(paid.parts);
    const more = splitAmount(account, payer, missing, nowMs);
    account.available -= more.balance;
    for (const part of more.parts) {
      account
        .subscription(part.subscription.id)
        .use(part.amount, part.subscription.startedAtMs, nowMs);
    }
    const balance = paid.balance + more.balance;
    const subscription = sum(paid.parts) + more.subscription;
    const charge = { balance, subscription, uncollected: actual - balance - subscription };
    account.key(payer.key.id).spend(balance + subscription, nowMs, account.zone);
    for (const [name] of scopesOf(payer)) {
      account.scope(name).spend(balance + subscription, nowMs, account.zone);
    }
    account.settled += balance;
    account.totals.records += 1;
    account.totals.subscription += subscription;
    account.totals.uncollected += charge.uncollected;
    account.requests.set(request.requestId, { state: 'settled', charge, closedAtMs: nowMs });
    return outcomeOf(known?.state === 'open' ? 'settled' : 'settled_late', charge);
  }

  /** Pays from what was held, in the account's order, and gives the rest back. */
  #payFromHold(
    account: AccountModel,
    payer: Payer,
    hold: OpenHold,
    { actual, tokens, nowMs }: { actual: bigint; tokens: number; nowMs: number },
  ): { balance: bigint; parts: Part[] } {
    const balanceFirst = payer.account.preference === 'balance_first';
    let left = actual;
    let balance = 0n;
    if (balanceFirst) left -= balance = min(hold.balance, left);
    const parts: Part[] = [];
    for (const held of hold.parts) {
      const amount = min(held.amount, left);
      left -= amount;
      if (amount > 0n) parts.push({ subscription: held.subscription, amount });
    }
    if (!balanceFirst) balance = min(hold.balance, left);
    this.#release(account, hold);
    account.receive(hold.balance - balance);
    correctMeter(account, hold, tokens, nowMs);
    for (const { subscription, amount } of parts) {
      account.subscription(subscription.id).use(amount, subscription.startedAtMs, nowMs);
    }
    return { balance, parts };
  }

  /** All that a hold has taken, except the balance's part. */
  #release(account: AccountModel, hold: OpenHold): void {
    const key = account.key(hold.keyId);
    account.held -= hold.balance;
    account.inFlight -= 1;
    key.inFlight -= 1;
    key.held -= totalOf(hold);
    for (const name of hold.scopes) {
      const scope = account.scope(name);
      scope.inFlight -= 1;
      scope.held -= totalOf(hold);
    }
    for (const part of hold.parts) account.subscription(part.subscription.id).held -= part.amount;
  }

  release(request: ReleaseRequest, nowMs: number): ReleaseOutcome {
    const account = this.account(request.accountId);
    const known = account.requests.get(request.requestId);
    if (known?.state === 'settled') return { code: 'request_closed' };
    if (known?.state === 'released') return { code: 'exists' };
    if (known?.state === 'open') {
      this.#release(account, known.hold);
      account.receive(known.hold.balance);
      correctMeter(account, known.hold, 0, nowMs);
    }
    account.requests.set(request.requestId, { state: 'released', closedAtMs: nowMs });
    return { code: known === undefined ? 'hold_not_found' : 'released' };
  }

  /**
   * Closes every hold whose time has passed, and forgets what was closed longer ago than the
   * memory. Answers how many it closed.
   */
  expire(nowMs: number, closedMemoryMs: number): number {
    let closed = 0;
    for (const account of this.accounts.values()) {
      for (const [id, fate] of account.requests) {
        if (fate.state !== 'open' || fate.hold.expiresAtMs > nowMs) continue;
        this.#release(account, fate.hold);
        account.receive(fate.hold.balance);
        account.requests.set(id, { state: 'expired', closedAtMs: nowMs });
        closed += 1;
      }
      account.forgetHow(nowMs - closedMemoryMs);
    }
    return closed;
  }

  credit(entry: CreditEntry, nowMs: number): CreditOutcome {
    const account = this.account(entry.accountId);
    const { sequence } = account;
    if (entry.sequence <= sequence) return { code: 'exists', sequence };
    if (entry.sequence > sequence + 1) return { code: 'out_of_order', sequence };
    if (typeof entry.holdId === 'string') {
      this.release({ requestId: entry.holdId, accountId: entry.accountId }, nowMs);
    }
    const amount = BigInt(entry.amountNanoUsd);
    account.credited += amount;
    account.sequence = entry.sequence;
    if (amount >= 0n) {
      account.receive(amount);
    } else {
      const taken = min(account.available, -amount);
      account.available -= taken;
      account.owed += -amount - taken;
    }
    return { code: 'credited', sequence: entry.sequence };
  }

  state(accountId: string): AccountState {
    const account = this.account(accountId);
    account.check();
    return {
      accountId,
      availableNanoUsd: Number(account.available),
      heldNanoUsd: Number(account.held),
      owedNanoUsd: Number(account.owed),
      creditSequence: account.sequence,
      inFlight: account.inFlight,
    };
  }
}

function isSame(hold: OpenHold, request: HoldRequest): boolean {
  return (
    hold.amount === request.amountNanoUsd &&
    hold.minimum === request.minimumNanoUsd &&
    hold.tokens === request.tokens &&
    hold.keyId === request.payer.key.id &&
    hold.groupId === request.payer.group.id
  );
}

function outcomeOf(code: 'settled' | 'settled_late' | 'exists', charge: Charge): SettleOutcome {
  return {
    code,
    balanceNanoUsd: Number(charge.balance),
    subscriptionNanoUsd: Number(charge.subscription),
    uncollectedNanoUsd: Number(charge.uncollected),
  };
}

function addPart(parts: Part[], part: Part): void {
  const known = parts.find(({ subscription }) => subscription.id === part.subscription.id);
  if (known === undefined) parts.push({ ...part });
  else known.amount += part.amount;
}

function sum(parts: readonly Part[]): bigint {
  return parts.reduce((total, { amount }) => total + amount, 0n);
}

function totalOf(hold: OpenHold): bigint {
  return hold.balance + sum(hold.parts);
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
