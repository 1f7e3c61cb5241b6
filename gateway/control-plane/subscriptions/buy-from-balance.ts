import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { ledgerNowMs } from '../../platform/clock/store-clock.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { HoldOutcome, Payer } from '../../ledger/ledger.ts';
import { findAccount, type AccountRow } from '../accounts/account-row.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction } from '../api/transaction.ts';
import { addCredit } from '../credits/add-credit.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { lockAccount } from '../keys/insert-keys.ts';
import {
  activatePlan,
  type DueSubscription,
  findPurchased,
  type PeriodPurchase,
  renewPlan,
} from './activate-plan.ts';

/** A period for who asks for it; or, of what renews itself, for the subscription that is due. */
export interface BalancePurchase extends PeriodPurchase {
  readonly renewing?: DueSubscription;
}

/** Longer than any purchase takes; a hold whose process died frees the money after it. */
const HOLD_TTL_MS = 60_000;

/**
 * Returns the payer of a plan: the account alone. No key's budget and no subscription takes part.
 */
function accountPayer(account: AccountRow): Payer {
  return {
    account: {
      id: account.id,
      status: account.status,
      concurrencyMax: null,
      preference: 'balance_first',
    },
    key: {
      id: account.id,
      status: 'active',
      expiresAtMs: null,
      budgets: [],
      rpm: null,
      tpm: null,
      concurrencyMax: null,
    },
    group: { id: account.id, rpm: null, tpm: null },
    subscriptions: [],
  };
}

function refuseHold(outcome: HoldOutcome, priceNanoUsd: number): Refusal | undefined {
  switch (outcome.code) {
    case 'held':
    case 'exists':
      return undefined;
    case 'ledger_unavailable':
      return refuse(
        'ledger_unavailable',
        'The balance cannot be read right now. Nothing was bought; try again.',
        {
          retryAfterMs: 1_000,
        },
      );
    case 'account_suspended':
      return refuse('account_suspended');
    case 'insufficient_balance':
      return refuse(
        'insufficient_balance',
        `The plan costs ${decimalFromNanoUsd(priceNanoUsd)} USD and ${decimalFromNanoUsd(outcome.affordableNanoUsd)} USD are available. Top up first.`,
      );
    default:
      return refuse(
        'state_conflict',
        `The purchase cannot go on (${outcome.code}). Start it again.`,
      );
  }
}

/**
 * The hold has the purchase's id, so that a repeat after a crash finds the money already held. An
 * earlier try that failed has closed that id for good; the next one then holds under an id of its
 * own.
 */
async function holdPrice(
  context: AdminContext,
  account: AccountRow,
  { periodId, priceNanoUsd }: PeriodPurchase,
): Promise<{ readonly holdId: string; readonly outcome: HoldOutcome }> {
  const hold = (requestId: string) =>
    context.ledger.hold({
      requestId,
      payer: accountPayer(account),
      amountNanoUsd: priceNanoUsd,
      minimumNanoUsd: priceNanoUsd,
      tokens: 0,
      ttlMs: HOLD_TTL_MS,
    });
  const outcome = await hold(periodId);
  if (outcome.code !== 'request_closed') return { holdId: periodId, outcome };
  const holdId = newRequestId(ledgerNowMs());
  return { holdId, outcome: await hold(holdId) };
}

/** The money and the period, or neither. */
async function writePurchase(
  context: AdminContext,
  purchase: BalancePurchase,
  actor: string,
  holdId?: string,
): Promise<{ readonly subscriptionId: string } | Refusal> {
  return inTransaction(context.pool, async (client) => {
    // The account first, as in every transaction that gives or takes money: the period writes to
    // the change feed, whose lock comes last.
    await lockAccount(client, purchase.accountId);
    const { renewing } = purchase;
    const subscriptionId =
      renewing === undefined
        ? await activatePlan(client, purchase)
        : await renewPlan(client, purchase, renewing);
    if (subscriptionId === undefined) {
      return refuse('state_conflict', 'This subscription does not renew now.');
    }
    if (purchase.priceNanoUsd > 0) {
      await addCredit(client, {
        entryId: `plan:${purchase.periodId}`,
        accountId: purchase.accountId,
        amountNanoUsd: -purchase.priceNanoUsd,
        kind: 'plan_purchase',
        reason: purchase.plan.name,
        actor,
        holdId,
      });
    }
    return { subscriptionId };
  });
}

/**
 * Buys a period from the balance.
 *
 * hold -> one Postgres transaction {negative credit, subscription} -> credit in the ledger, which
 * takes the hold's place in one step. The hold keeps requests in flight from spending the money in
 * between. A crash before the transaction leaves a hold that expires; a crash after it leaves
 * credit and hold to the change feed.
 */
export async function buyFromBalance(
  context: AdminContext,
  purchase: BalancePurchase,
  actor: string,
): Promise<{ readonly subscriptionId: string } | Refusal> {
  const made = await findPurchased(context.pool, purchase.periodId);
  if (made !== undefined) return { subscriptionId: made };
  const account = await findAccount(context.pool, purchase.accountId);
  if (account === undefined) return refuse('not_found', 'There is no such account.');
  const { priceNanoUsd, periodId } = purchase;
  if (priceNanoUsd === 0) return writePurchase(context, purchase, actor);
  const { holdId, outcome } = await holdPrice(context, account, purchase);
  const refused = refuseHold(outcome, priceNanoUsd);
  if (refused !== undefined) return refused;
  try {
    const written = await writePurchase(context, purchase, actor, holdId);
    await pushCredits(context, purchase.accountId);
    return written;
  } finally {
    // Of a purchase that failed, or whose credit did not reach the ledger; after any other there is
    // no hold any more.
    const { accountId } = purchase;
    const released = await context.ledger.release({ requestId: holdId, accountId });
    if (released.code === 'ledger_unavailable') {
      context.logger.warn({ periodId }, 'the hold of a purchase is left to expire');
    }
  }
}
