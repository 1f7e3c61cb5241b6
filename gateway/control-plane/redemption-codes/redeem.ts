import type { RedemptionView } from '@weir/shared/money/redemption-codes';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { decimalOrNull } from '../api/amount.ts';
import { countAttempt, forgetAttempts } from '../api/callers/attempts.ts';
import type { Call } from '../api/call.ts';
import { digestOfCode } from '../api/callers/opaque-token.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { addCredit } from '../credits/add-credit.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { joinGroup } from '../groups/group-code.ts';
import { findPlan } from '../plans/plan-row.ts';
import { activatePlan, lockAccount } from '../subscriptions/activate-plan.ts';
import { readSubscription } from '../subscriptions/routes.ts';

/** One statement decides: of any number of redemptions at once, one finds the code unredeemed. */
const CLAIM = `
  update redemption_codes c set redeemed_at = now(), redeemed_by = $2
  from redemption_batches b
  where c.digest = $1 and b.id = c.batch_id and c.redeemed_at is null and c.status = 'active'
    and (b.expires_at is null or b.expires_at > now())
  returning c.id, b.kind, b.name, b.amount_nano_usd as "amountNanoUsd", b.plan_id as "planId",
    c.redeemed_at as "redeemedAt"`;

const LOOK = `
  select c.redeemed_at is not null as redeemed, c.status, coalesce(b.expires_at <= now(), false) as expired
  from redemption_codes c join redemption_batches b on b.id = c.batch_id
  where c.digest = $1`;

interface ClaimedRow {
  readonly id: string;
  readonly kind: 'balance' | 'plan';
  readonly name: string;
  readonly amountNanoUsd: number | null;
  readonly planId: string | null;
  readonly redeemedAt: Date;
}

/** Returns the reason why a code could not be redeemed. */
async function refuseCode(db: Database, digest: Buffer): Promise<Refusal> {
  const { rows } = await db.query<{ redeemed: boolean; status: string; expired: boolean }>(LOOK, [
    digest,
  ]);
  const [code] = rows;
  const param = 'code';
  if (code === undefined) {
    return refuse('code_unknown', 'This code is unknown. Compare it letter by letter.', { param });
  }
  if (code.redeemed) return refuse('code_redeemed', undefined, { param });
  if (code.status === 'disabled') return refuse('code_disabled', undefined, { param });
  return refuse('code_expired', undefined, { param });
}

async function giveBalance(
  db: Database,
  code: ClaimedRow,
  call: Call<'redeemCode'>,
): Promise<void> {
  if (code.amountNanoUsd === null) throw new Error('a balance code without an amount');
  await addCredit(db, {
    entryId: `redemption:${code.id}`,
    accountId: call.caller.accountId,
    amountNanoUsd: code.amountNanoUsd,
    kind: 'redemption',
    reason: code.name,
    actor: call.caller.userId,
  });
}

async function givePlan(
  db: Database,
  code: ClaimedRow,
  accountId: string,
): Promise<RedemptionView['subscription'] | Refusal> {
  const plan = code.planId === null ? undefined : await findPlan(db, code.planId);
  if (plan === undefined) throw new Error('a plan code without a plan');
  const subscriptionId = await activatePlan(db, {
    periodId: code.id,
    accountId,
    plan,
    source: 'code',
    priceNanoUsd: 0,
    days: plan.periodDays,
    renews: null,
  });
  return readSubscription(db, subscriptionId);
}

/** A code that is none of a batch may be that of a group, which any number of accounts enter. */
async function openGroup(
  db: Database,
  digest: Buffer,
  accountId: string,
): Promise<RedemptionView | Refusal> {
  const group = await joinGroup(db, digest, accountId);
  if (group === undefined) return refuseCode(db, digest);
  const redeemedAt = new Date(databaseNowMs()).toISOString();
  return { kind: 'group', amountUsd: null, group, subscription: null, redeemedAt };
}

export async function redeemCode(call: Call<'redeemCode'>): Promise<RedemptionView | Refusal> {
  const { context, body, caller } = call;
  const tooMany = await countAttempt(context, 'redeem', caller.accountId);
  if (tooMany !== undefined) return tooMany;
  const digest = digestOfCode(body.code);
  const redeemed = await inTransaction(context.pool, async (client) => {
    // The claim's reference to the account locks it weakly: two codes at once would each wait for
    // the other to make that stronger.
    await lockAccount(client, caller.accountId);
    const { rows } = await client.query<ClaimedRow>(CLAIM, [digest, caller.accountId]);
    const [code] = rows;
    if (code === undefined) return openGroup(client, digest, caller.accountId);
    const amountUsd = decimalOrNull(code.amountNanoUsd);
    const redeemedAt = code.redeemedAt.toISOString();
    if (code.kind === 'balance') {
      await giveBalance(client, code, call);
      return { kind: code.kind, amountUsd, group: null, subscription: null, redeemedAt };
    }
    const subscription = await givePlan(client, code, caller.accountId);
    if (subscription !== null && 'refused' in subscription) return subscription;
    return { kind: code.kind, amountUsd, group: null, subscription, redeemedAt };
  });
  if ('refused' in redeemed) return redeemed;
  await forgetAttempts(context, 'redeem', caller.accountId);
  await pushCredits(context, caller.accountId);
  return redeemed;
}
