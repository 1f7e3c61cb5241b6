import { giveMoney } from './catalog.ts';
import { signedEvent } from './fake-stripe.ts';
import { makePlan } from './plans.ts';
import { insertUsage } from './usage.ts';
import type { UsedCatalog } from './use-catalog.ts';
import type { Walk } from './walk.ts';

async function useCodes({ ground, admin, secrets }: Walk, { owner }: UsedCatalog): Promise<void> {
  const batch = await ground.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'batch', count: 2, kind: 'balance', amountUsd: '1' },
  });
  const [code = '', unused = ''] = batch.reply.codes;
  secrets.set('redeemed code', code).set('redemption code', unused);
  const params = { batchId: batch.reply.id };
  await ground.ask('redeemCode', { as: owner, body: { code } });
  await ground.ask('exportRedemptionBatch', { as: admin, params });
  await ground.ask('listRedemptionBatches', { as: admin });
  await ground.ask('getRedemptionBatch', { as: admin, params });
  const off = { status: 'disabled' };
  await ground.ask('updateRedemptionBatch', { as: admin, params, body: off });
  const codes = await ground.ask('listRedemptionCodes', { as: admin, query: params });
  const left = codes.reply.data.find(({ redeemedAt }) => redeemedAt === null);
  await ground.ask('updateRedemptionCode', {
    as: admin,
    params: { redemptionCodeId: left?.id ?? '' },
    body: { status: 'active' },
  });
  const invitation = await ground.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
  secrets.set('invitation code', invitation.reply.code);
  await ground.ask('listInvitationCodes', { as: admin });
  await ground.ask('updateInvitationCode', {
    as: admin,
    params: { invitationCodeId: invitation.reply.id },
    body: off,
  });
}

async function usePlans({ ground, admin }: Walk, { owner, groupId }: UsedCatalog): Promise<void> {
  const plan = await makePlan(ground, admin, { groupId });
  const params = { planId: plan.id };
  await ground.ask('listPlansForSale');
  await ground.ask('listPlans', { as: admin });
  await ground.ask('getPlan', { as: admin, params });
  const words = { description: 'for a month' };
  await ground.ask('updatePlan', { as: admin, params, anyVersion: true, body: words });
  const spare = await makePlan(ground, admin, { groupId });
  await ground.ask('deletePlan', { as: admin, params: { planId: spare.id } });
  await giveMoney(ground, { admin, to: owner, amountUsd: '50' });
  const body = { planId: plan.id, renews: true };
  const bought = await ground.ask('buySubscription', { as: owner, body });
  const subscription = { subscriptionId: bought.reply.id };
  await ground.ask('listOwnSubscriptions', { as: owner });
  const stop = { renews: false };
  await ground.ask('updateOwnSubscription', { as: owner, params: subscription, body: stop });
  await ground.ask('listSubscriptions', { as: admin });
  const grant = { accountId: admin.accountId, planId: plan.id, reason: 'why not' };
  await ground.ask('grantSubscription', { as: admin, body: grant });
  const seen = await ground.ask('getSubscription', { as: admin, params: subscription });
  const headers = { 'if-match': String(seen.headers['etag']) };
  await ground.ask('updateSubscription', { as: admin, params: subscription, headers, body: stop });
}

async function useCards(walk: Walk, { owner }: UsedCatalog): Promise<void> {
  const { ground, admin, stripe } = walk;
  const body = { kind: 'top_up', amountUsd: '10' };
  const { id: orderId } = (await ground.ask('createOrder', { as: owner, body })).reply;
  const { payload, headers } = signedEvent('checkout.session.completed', stripe.pay(orderId));
  const event = JSON.parse(payload) as object;
  await ground.ask('receiveStripeWebhook', { body: event, headers });
  // Refusals are told to whoever forges, and failures are logged whole.
  await ground.ask('receiveStripeWebhook', { body: { ...event, forged: true }, headers });
  stripe.failWith = 'refusal';
  await ground.ask('createOrder', { as: owner, body });
  stripe.failWith = 'nothing';
  await ground.ask('listOwnOrders', { as: owner });
  await ground.ask('getOwnOrder', { as: owner, params: { orderId } });
  await ground.ask('listOrders', { as: admin });
  await ground.ask('reconcileOrder', { as: admin, params: { orderId } });
  const refund = { reason: 'asked for it' };
  await ground.ask('refundOrder', { as: admin, params: { orderId }, body: refund });
}

async function lookAtUsage({ ground, admin }: Walk, catalog: UsedCatalog): Promise<void> {
  const { owner, keyId, groupId, publicId } = catalog;
  const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
  const [requestId = ''] = await insertUsage(ground.pool, [record, record]);
  const month = new Date().toISOString().slice(0, 7);
  await ground.ask('listOwnUsageRecords', { as: owner });
  await ground.ask('getOwnUsageRecord', { as: owner, params: { requestId } });
  await ground.ask('exportOwnUsage', { as: owner });
  await ground.ask('listOwnUsageDays', { as: owner, query: { by: 'key' } });
  await ground.ask('getOwnUsageSummary', { as: owner });
  await ground.ask('listOwnStatements', { as: owner });
  await ground.ask('getOwnStatement', { as: owner, params: { month } });
  await ground.ask('listUsageRecords', { as: admin });
  await ground.ask('getUsageRecord', { as: admin, params: { requestId } });
  await ground.ask('exportUsage', { as: admin });
  await ground.ask('listUsageDays', { as: admin, query: { by: 'account' } });
  await ground.ask('getStatement', { as: admin, params: { accountId: owner.accountId, month } });
}

async function operate({ ground, admin }: Walk): Promise<void> {
  await ground.ask('getHealth');
  await ground.ask('getPublicSettings');
  await ground.ask('getSiteText', { query: { name: 'terms' } });
  await ground.ask('getSettings', { as: admin });
  await ground.ask('getOverview', { as: admin });
  await ground.ask('rotateSecrets', { as: admin });
  await ground.ask('listAuditEntries', { as: admin });
}

/** Everything that moves money or tells where it went. */
export async function useMoney(walk: Walk, catalog: UsedCatalog): Promise<void> {
  await useCodes(walk, catalog);
  await usePlans(walk, catalog);
  await useCards(walk, catalog);
  await lookAtUsage(walk, catalog);
  await operate(walk);
}
