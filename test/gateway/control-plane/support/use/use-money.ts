import { giveMoney } from '../catalog.ts';
import { signedEvent } from '../fakes/fake-stripe.ts';
import { makePlan } from '../plans.ts';
import { insertUsage } from '../usage.ts';
import type { UsedCatalog } from './use-catalog.ts';
import type { Walk } from '../walk.ts';

async function useCodes({ fixture, admin, secrets }: Walk, { owner }: UsedCatalog): Promise<void> {
  const batch = await fixture.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'batch', count: 2, kind: 'balance', amountUsd: '1' },
  });
  const [code = '', unused = ''] = batch.reply.codes;
  secrets.set('redeemed code', code).set('redemption code', unused);
  const params = { batchId: batch.reply.id };
  await fixture.ask('redeemCode', { as: owner, body: { code } });
  await fixture.ask('exportRedemptionBatch', { as: admin, params });
  await fixture.ask('listRedemptionBatches', { as: admin });
  await fixture.ask('getRedemptionBatch', { as: admin, params });
  const off = { status: 'disabled' };
  await fixture.ask('updateRedemptionBatch', { as: admin, params, body: off });
  const codes = await fixture.ask('listRedemptionCodes', { as: admin, query: params });
  const left = codes.reply.data.find(({ redeemedAt }) => redeemedAt === null);
  await fixture.ask('updateRedemptionCode', {
    as: admin,
    params: { redemptionCodeId: left?.id ?? '' },
    body: { status: 'active' },
  });
  const invitation = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
  secrets.set('invitation code', invitation.reply.code);
  await fixture.ask('listInvitationCodes', { as: admin });
  await fixture.ask('updateInvitationCode', {
    as: admin,
    params: { invitationCodeId: invitation.reply.id },
    body: off,
  });
}

async function usePlans({ fixture, admin }: Walk, { owner, groupId }: UsedCatalog): Promise<void> {
  const plan = await makePlan(fixture, admin, { groupId });
  const params = { planId: plan.id };
  await fixture.ask('listPlansForSale');
  await fixture.ask('listPlans', { as: admin });
  await fixture.ask('getPlan', { as: admin, params });
  const words = { description: 'for a month' };
  await fixture.ask('updatePlan', { as: admin, params, anyVersion: true, body: words });
  const spare = await makePlan(fixture, admin, { groupId });
  await fixture.ask('deletePlan', { as: admin, params: { planId: spare.id } });
  await giveMoney(fixture, { admin, to: owner, amountUsd: '50' });
  const body = { planId: plan.id, renews: true };
  const bought = await fixture.ask('buySubscription', { as: owner, body });
  const subscription = { subscriptionId: bought.reply.id };
  await fixture.ask('listOwnSubscriptions', { as: owner });
  const stop = { renews: false };
  await fixture.ask('updateOwnSubscription', { as: owner, params: subscription, body: stop });
  await fixture.ask('listSubscriptions', { as: admin });
  const grant = { accountId: admin.accountId, planId: plan.id, reason: 'why not' };
  await fixture.ask('grantSubscription', { as: admin, body: grant });
  const seen = await fixture.ask('getSubscription', { as: admin, params: subscription });
  const headers = { 'if-match': String(seen.headers['etag']) };
  await fixture.ask('updateSubscription', { as: admin, params: subscription, headers, body: stop });
}

async function useAccounting({ fixture, admin }: Walk, { owner }: UsedCatalog): Promise<void> {
  const issuer = { invoicesEnabled: true, issuerName: 'Weir Ltd', issuerAddress: 'a street' };
  const mails = { mailsEnabled: true, mailAddresses: ['books@example.org'] };
  const body = { ...issuer, ...mails };
  await fixture.ask('updateAccountingSettings', { as: admin, anyVersion: true, body });
  await fixture.ask('getAccountingSettings', { as: admin });
  const details = { name: 'a company', address: 'a street', taxId: 'a number' };
  await fixture.ask('updateBillingDetails', { as: owner, body: details });
  await fixture.ask('getBillingDetails', { as: owner });
}

async function lookAtAccounting(walk: Walk, { owner }: UsedCatalog): Promise<void> {
  const { fixture, admin } = walk;
  const [invoice] = (await fixture.ask('listOwnInvoices', { as: owner })).reply.data;
  const params = { invoiceId: invoice?.id ?? '' };
  await fixture.ask('printOwnInvoice', { as: owner, params });
  await fixture.ask('listInvoices', { as: admin });
  await fixture.ask('printInvoice', { as: admin, params });
  await fixture.ask('getAccounting', { as: admin });
  await fixture.ask('exportAccounting', { as: admin });
  await fixture.ask('exportOrders', { as: admin });
  await fixture.ask('exportCredits', { as: admin });
  await fixture.pool.query(
    `insert into accounting_mails (id, month, address, status)
     values (gen_random_uuid(), '2026-01-01', 'books@example.org', 'failed')`,
  );
  const [mail] = (await fixture.ask('listAccountingMails', { as: admin })).reply.data;
  const mailParams = { accountingMailId: mail?.id ?? '' };
  await fixture.ask('repeatAccountingMail', { as: admin, params: mailParams });
}

async function useCards(walk: Walk, { owner }: UsedCatalog): Promise<void> {
  const { fixture, admin, stripe } = walk;
  const body = { kind: 'top_up', amountUsd: '10' };
  const { id: orderId } = (await fixture.ask('createOrder', { as: owner, body })).reply;
  const { payload, headers } = signedEvent('checkout.session.completed', stripe.pay(orderId));
  const event = JSON.parse(payload) as object;
  await fixture.ask('receiveStripeWebhook', { body: event, headers });
  // A forger gets refusals, and failures are logged whole.
  await fixture.ask('receiveStripeWebhook', { body: { ...event, forged: true }, headers });
  stripe.failWith = 'refusal';
  await fixture.ask('createOrder', { as: owner, body });
  stripe.failWith = 'nothing';
  await fixture.ask('listOwnOrders', { as: owner });
  await fixture.ask('getOwnOrder', { as: owner, params: { orderId } });
  await fixture.ask('listOrders', { as: admin });
  await fixture.ask('reconcileOrder', { as: admin, params: { orderId } });
  const refund = { reason: 'asked for it' };
  await fixture.ask('refundOrder', { as: admin, params: { orderId }, body: refund });
}

async function lookAtUsage({ fixture, admin }: Walk, catalog: UsedCatalog): Promise<void> {
  const { owner, keyId, groupId, publicId } = catalog;
  const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
  const [requestId = ''] = await insertUsage(fixture.pool, [record, record]);
  const month = new Date().toISOString().slice(0, 7);
  await fixture.ask('listOwnUsageRecords', { as: owner });
  await fixture.ask('getOwnUsageRecord', { as: owner, params: { requestId } });
  await fixture.ask('exportOwnUsage', { as: owner });
  await fixture.ask('listOwnUsageDays', { as: owner, query: { by: 'key' } });
  await fixture.ask('exportOwnUsageDays', { as: owner, query: { by: 'member' } });
  await fixture.ask('getOwnUsageSummary', { as: owner });
  await fixture.ask('listOwnStatements', { as: owner });
  await fixture.ask('getOwnStatement', { as: owner, params: { month } });
  await fixture.ask('listUsageRecords', { as: admin });
  await fixture.ask('getUsageRecord', { as: admin, params: { requestId } });
  await fixture.ask('exportUsage', { as: admin });
  await fixture.ask('listUsageDays', { as: admin, query: { by: 'account' } });
  await fixture.ask('getStatement', { as: admin, params: { accountId: owner.accountId, month } });
}

async function operate({ fixture, admin }: Walk): Promise<void> {
  await fixture.ask('getHealth');
  await fixture.ask('getPublicSettings');
  await fixture.ask('getSiteText', { query: { name: 'terms' } });
  await fixture.ask('getSettings', { as: admin });
  await fixture.ask('getOverview', { as: admin });
  await fixture.ask('getStorage', { as: admin });
  await fixture.ask('rotateSecrets', { as: admin });
  await fixture.ask('listAuditEntries', { as: admin });
}

/** Everything that moves money or tells where it went. */
export async function useMoney(walk: Walk, catalog: UsedCatalog): Promise<void> {
  await useCodes(walk, catalog);
  await usePlans(walk, catalog);
  await useAccounting(walk, catalog);
  await useCards(walk, catalog);
  await lookAtAccounting(walk, catalog);
  await lookAtUsage(walk, catalog);
  await operate(walk);
}
