import type { Payer, SubscriptionTerms } from '../../gateway/ledger/ledger.ts';
import type { AccountModel, Part } from './account-model.ts';
import { windowOf } from './calendar.ts';

/** Returns the remainder of each limited window, and its end. */
function windowsOf(account: AccountModel, subscription: SubscriptionTerms, nowMs: number) {
  const model = account.subscription(subscription.id);
  return subscription.allowances.map(({ window, limitNanoUsd }) => ({
    limit: BigInt(limitNanoUsd),
    left: BigInt(limitNanoUsd) - model.usedIn(window, subscription.startedAtMs, nowMs) - model.held,
    endsAtMs: windowOf(window, subscription.startedAtMs, nowMs)[1],
  }));
}

function headroom(account: AccountModel, subscription: SubscriptionTerms, nowMs: number): bigint {
  if (nowMs < subscription.startedAtMs || nowMs >= subscription.endsAtMs) return 0n;
  const lefts = windowsOf(account, subscription, nowMs).map(({ left }) => left);
  const [first, ...others] = lefts;
  if (first === undefined) return 0n;
  const least = others.reduce((small, left) => (left < small ? left : small), first);
  return least > 0n ? least : 0n;
}

/** Splits an amount over subscriptions in their order and the balance, as far as they reach. */
export function splitAmount(
  account: AccountModel,
  payer: Payer,
  amount: bigint,
  nowMs: number,
): { balance: bigint; subscription: bigint; parts: Part[] } {
  let left = amount;
  let balance = 0n;
  const fromBalance = (): void => {
    balance = left < account.available ? left : account.available;
    left -= balance;
  };
  if (payer.account.preference === 'balance_first') fromBalance();
  const parts: Part[] = [];
  for (const subscription of payer.subscriptions) {
    const room = headroom(account, subscription, nowMs);
    const part = room < left ? room : left;
    if (part <= 0n) continue;
    left -= part;
    parts.push({ subscription, amount: part });
  }
  if (payer.account.preference === 'subscription_first') fromBalance();
  return { balance, subscription: parts.reduce((total, part) => total + part.amount, 0n), parts };
}

/**
 * The ms until the windows of some subscription let it pay `needed` by itself; null when none ever
 * will.
 */
export function allowanceWaitMs(
  account: AccountModel,
  payer: Payer,
  needed: bigint,
  nowMs: number,
): number | null {
  const waits = payer.subscriptions.flatMap((subscription) => {
    const windows = windowsOf(account, subscription, nowMs);
    if (windows.length === 0 || windows.some(({ limit }) => limit < needed)) return [];
    const ends = windows.filter(({ left }) => left < needed).map(({ endsAtMs }) => endsAtMs);
    if (ends.length === 0) return [];
    const readyAtMs = Math.max(...ends);
    return nowMs < subscription.endsAtMs && readyAtMs < subscription.endsAtMs
      ? [readyAtMs - nowMs]
      : [];
  });
  return waits.length === 0 ? null : Math.min(...waits);
}
