import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { until } from '../../support/clocks/hang.ts';
import type { Caller, ConsoleFixture } from './console-fixture.ts';

/** A customer with something of everything, so that every page has rows to show. */
export interface Stock {
  readonly user: Caller;
  readonly admin: Caller;
  readonly accountId: string;
  /** A key of the customer. */
  readonly key: string;
  readonly keyId: string;
  readonly modelId: string;
  readonly channelId: string;
  readonly batchId: string;
  /** A group that the customer was given. */
  readonly groupId: string;
  readonly orderId: string;
  /** A request of the user that failed at its upstream. */
  readonly requestId: string;
  /** The provider's name in its callback address. */
  readonly slug: string;
  /** This month as statements are addressed. */
  readonly month: string;
  /** Values that must be shown only once, if ever. */
  readonly secrets: readonly string[];
}

export const CUSTOMER_EMAIL = 'grace@example.org';
const MODEL = 'gpt-6.2-sol';
/** Served by a channel that nobody answers at: its requests fail. */
export const BROKEN_MODEL = 'broken-1';

/** The settings `stockUp` counts on. Card payments show their forms; nobody is ever sent to pay. */
export const STOCK_SETTINGS = {
  STRIPE_SECRET_KEY: 'sk_test_for_tests_only',
  STRIPE_WEBHOOK_SECRET: 'whsec_for_tests_only',
};

/**
 * An order that was paid: only a card payment makes one through the API. Stripe, which knows of
 * none, is never asked about it.
 */
async function addOrder(fixture: ConsoleFixture, accountId: string): Promise<string> {
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  const orderId = randomUUID();
  await client.query(
    `insert into orders
       (id, account_id, user_id, kind, amount_nano_usd, status, payment_intent_id, paid_at, reversals_due_at)
     select $1, id, (select id from users where account_id = $2), 'top_up', 20000000000, 'paid', 'pi_1', now(), null
       from accounts where id = $2`,
    [orderId, accountId],
  );
  await client.end();
  return orderId;
}

/** Resolves when a request has arrived in the book. */
async function untilRecorded(fixture: ConsoleFixture, user: Caller): Promise<void> {
  await until('the record', async () => {
    const { data } = await fixture.ask('listOwnUsageRecords', { as: user, query: { limit: 1 } });
    return data.length > 0;
  });
  await until('the entry', async () => {
    const { data } = await fixture.ask('listOwnRequests', { as: user, query: { limit: 1 } });
    return data.length > 0;
  });
}

/** Resolves with the id of a request that an upstream has failed. */
export async function untilFailed(fixture: ConsoleFixture): Promise<string> {
  let requestId = '';
  await until('the failed request', async () => {
    const query = { outcome: 'failed', limit: 200 };
    const { data } = await fixture.ask('listRequests', { query });
    requestId = data.find(({ failedAttempts }) => failedAttempts.length > 0)?.requestId ?? '';
    return requestId !== '';
  });
  return requestId;
}

/** Sends a short request. */
export function serveWith(fixture: ConsoleFixture, key: string, model: string): Promise<Response> {
  return fetch(`${fixture.weir.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'Hi.' }] }),
  });
}

/** Resolves with the status of the reply. */
async function useKey(fixture: ConsoleFixture, key: string, model: string): Promise<number> {
  const response = await serveWith(fixture, key, model);
  await response.text();
  return response.status;
}

async function addBrokenModel(fixture: ConsoleFixture, groupId: string): Promise<void> {
  const { id: modelId } = await fixture.ask('createModel', {
    body: {
      publicId: BROKEN_MODEL,
      contextTokensMax: 8_192,
      outputTokensMax: 1_024,
      groupIds: [groupId],
    },
  });
  await fixture.ask('createPrice', {
    params: { modelId },
    body: { inputUsd: '1', outputUsd: '2' },
  });
  await fixture.ask('createChannel', {
    body: {
      name: 'out of order',
      baseUrl: 'http://127.0.0.1:9/v1',
      allowPrivate: true,
      models: [{ modelId, upstreamName: BROKEN_MODEL }],
    },
  });
}

/** Things to buy with, to invite with, to pay with. */
async function stockShop(fixture: ConsoleFixture, accountId: string, groupId: string) {
  const plan = await fixture.ask('createPlan', {
    body: {
      name: 'Plan 20',
      description: '20 USD',
      priceUsd: '20',
      groupIds: [groupId],
      allowances: [
        { window: '5h', limitUsd: '5' },
        { window: 'month', limitUsd: '60' },
      ],
    },
  });
  await fixture.ask('grantSubscription', {
    body: { accountId, planId: plan.id, reason: '2026-11' },
  });
  const batch = await fixture.ask('createRedemptionBatch', {
    body: { name: '2026-11', count: 3, kind: 'balance', amountUsd: '5' },
  });
  await fixture.ask('createInvitationCode', { body: { usesMax: 2, note: '2026-11' } });
  return batch;
}

/** Adds a provider that the log-in page does not offer. Returns its slug. */
export async function stockSignOn(fixture: ConsoleFixture, accountId: string): Promise<string> {
  const { slug } = await fixture.ask('createSignOnProvider', {
    body: {
      slug: 'company',
      preset: 'entra',
      name: 'Company',
      issuer: 'https://192.0.2.1/tenant/v2.0',
      allowPrivate: true,
      clientId: 'weir',
      shownOnLogIn: false,
      domains: [{ domain: 'company.example', onlySignOn: true }],
      rules: [{ claim: 'roles', value: 'developer', accountId, role: 'member' }],
    },
  });
  return slug;
}

/** Rules, who is told, and a test in the log. */
async function stockAlerts(fixture: ConsoleFixture): Promise<void> {
  const { id: alertTargetId } = await fixture.ask('createAlertTarget', {
    body: { name: 'On call', kind: 'mail', address: 'ops@example.org' },
  });
  await fixture.ask('createAlertTarget', {
    body: {
      name: 'Chat',
      kind: 'webhook',
      address: 'http://127.0.0.1:9/hook',
      allowPrivate: true,
    },
  });
  await fixture.ask('createAlertRule', { body: { name: 'Upstreams', kind: 'channel_failing' } });
  await fixture.ask('createAlertRule', {
    body: { name: '5xx', kind: 'error_rate', percent: 5, windowMinutes: 5 },
  });
  await fixture.ask('testAlertTarget', { params: { alertTargetId } });
}

/** A group for a code, with one account in it at a price of its own. */
export async function addPartners(fixture: ConsoleFixture, accountId: string): Promise<string> {
  const { id: groupId } = await fixture.ask('createGroup', {
    body: { name: 'Partners', access: 'code', multiplier: '0.8' },
  });
  await fixture.ask('addGroupAccounts', {
    params: { groupId },
    body: { accountIds: [accountId], multiplier: '0.7' },
  });
  return groupId;
}

/** Fills the installation; names are such as every language leaves them. */
export async function stockUp(fixture: ConsoleFixture): Promise<Stock> {
  const [user, admin] = [
    await fixture.register(CUSTOMER_EMAIL),
    await fixture.logIn(fixture.admin),
  ];
  const { id: accountId } = await fixture.ask('getOwnAccount', { as: user });
  await fixture.ask('createCredit', {
    params: { accountId },
    body: { amountUsd: '50', reason: '2026-11' },
  });
  const groups = (await fixture.ask('listGroups')).data;
  const groupId = groups.find(({ name }) => name === 'mixed')?.id ?? '';
  await addBrokenModel(fixture, groupId);
  const key = await fixture.ask('createKey', { as: user, body: { name: 'Laptop', groupId } });
  const token = await fixture.ask('createAccessToken', {
    as: user,
    body: { name: 'CI', scope: 'read' },
  });
  const batch = await stockShop(fixture, accountId, groupId);
  await stockAlerts(fixture);
  await until(
    'a gateway that knows the key',
    async () => (await useKey(fixture, key.value, MODEL)) === 200,
  );
  // A model that it does not know yet is not found.
  await until(
    'a gateway that knows the channel',
    async () => (await useKey(fixture, key.value, BROKEN_MODEL)) >= 500,
  );
  await untilRecorded(fixture, user);
  const channels = (await fixture.ask('listChannels')).data;
  const models = await fixture.ask('listModels', { query: { search: MODEL } });
  return {
    user,
    admin,
    accountId,
    key: key.value,
    keyId: key.id,
    modelId: models.data[0]?.id ?? '',
    channelId: channels.find(({ name }) => name !== 'out of order')?.id ?? '',
    batchId: batch.id,
    groupId: await addPartners(fixture, accountId),
    orderId: await addOrder(fixture, accountId),
    requestId: await untilFailed(fixture),
    slug: await stockSignOn(fixture, accountId),
    month: new Date().toISOString().slice(0, 7),
    secrets: [key.value, token.token, ...batch.codes],
  };
}
