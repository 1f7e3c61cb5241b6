import { randomUUID } from 'node:crypto';
import type { UpstreamKind } from '@weir/shared/catalog/channels';
import pg from 'pg';
import type { Caller, ConsoleFixture } from '../../test/end-to-end/support/console-fixture.ts';
import {
  addPartners,
  stockSignOn,
  untilFailed,
  type Stock,
} from '../../test/end-to-end/support/stock.ts';
import { REQUEST_HISTORY } from './request-history.ts';
import { USAGE_HISTORY } from './usage-history.ts';

/**
 * An installation in its second month: what an operator and their customers would see on an
 * ordinary day.
 */

const CUSTOMERS = ['grace', 'linus', 'wei.chen', 'amara.okafor', 'team-support', 'jonas.meyer'];
const CUSTOMER = 'ada.lovelace@example.org';
/** Has just registered. */
const NEWCOMER = 'newcomer@example.org';
const DAY_MS = 86_400_000;
const QUESTIONS = ['What is a weir?', 'Translate “flow” into Chinese.', 'Name three rivers.'];

export interface PictureStock extends Stock {
  readonly newcomer: Caller;
}

async function credit(fixture: ConsoleFixture, accountId: string, amountUsd: string) {
  await fixture.ask('createCredit', {
    params: { accountId },
    body: { amountUsd, reason: 'Welcome to the pilot phase' },
  });
}

const KINDS: ReadonlyMap<string, UpstreamKind> = new Map([
  ['Anthropic', 'anthropic'],
  ['Google', 'gemini'],
]);

async function addChannels(fixture: ConsoleFixture): Promise<string> {
  const models = (await fixture.ask('listModels', { query: { limit: 200 } })).data;
  const of = (vendor: string) =>
    models
      .filter((model) => model.vendor === vendor)
      .map(({ id, publicId }) => ({ modelId: id, upstreamName: publicId }));
  const channel = (name: string, baseUrl: string, vendor: string, priority: number) =>
    fixture.ask('createChannel', {
      body: {
        name,
        kind: KINDS.get(vendor) ?? 'openai',
        baseUrl,
        priority,
        credentials: [`sk-upstream-${randomUUID()}`, `sk-upstream-${randomUUID()}`],
        models: of(vendor),
        concurrencyMax: 200,
      },
    });
  const first = await channel('OpenAI, Frankfurt', 'https://eu.openai.example/v1', 'OpenAI', -10);
  await channel('OpenAI, fallback', 'https://us.openai.example/v1', 'OpenAI', -20);
  await channel('Anthropic', 'https://api.anthropic.example/v1', 'Anthropic', -10);
  const off = await channel('Gemini, trial', 'https://gemini.example/v1beta', 'Google', -10);
  await fixture.ask('updateChannel', {
    params: { channelId: off.id },
    body: { status: 'disabled' },
  });
  return first.id;
}

async function openShop(fixture: ConsoleFixture, accountId: string) {
  const groups = (await fixture.ask('listGroups')).data;
  const idOf = (name: string): string => groups.find((group) => group.name === name)?.id ?? '';
  const plan = (name: string, priceUsd: string, description: string, limits: [string, string]) =>
    fixture.ask('createPlan', {
      body: {
        name,
        priceUsd,
        description,
        groupIds: [idOf('mixed'), idOf('general')],
        allowances: [
          { window: '5h', limitUsd: limits[0] },
          { window: 'month', limitUsd: limits[1] },
        ],
      },
    });
  await plan('Starter', '10', 'For trying things out and small scripts.', ['1', '12']);
  const pro = await plan('Pro', '25', 'For daily work in an editor or terminal.', ['4', '40']);
  await plan('Team', '90', 'For a handful of people who share an account.', ['15', '160']);
  await fixture.ask('grantSubscription', {
    body: { accountId, planId: pro.id, reason: 'Pilot customer' },
  });
  const batch = await fixture.ask('createRedemptionBatch', {
    body: { name: 'Autumn workshop', count: 12, kind: 'balance', amountUsd: '5' },
  });
  await fixture.ask('createRedemptionBatch', {
    body: { name: 'Newsletter readers', count: 40, kind: 'balance', amountUsd: '2.5' },
  });
  await fixture.ask('createInvitationCode', { body: { usesMax: 20, note: 'Meetup in November' } });
  await fixture.ask('createInvitationCode', { body: { usesMax: 1, note: 'For Amara' } });
  return batch;
}

async function addAlerts(fixture: ConsoleFixture): Promise<void> {
  const { id: alertTargetId } = await fixture.ask('createAlertTarget', {
    body: { name: 'On call', kind: 'webhook', address: 'https://on-call.example/weir' },
  });
  await fixture.ask('createReadyAlertRules', { body: { language: 'en' } });
  // Nothing is there: the log shows a message that did not arrive.
  await fixture.ask('testAlertTarget', { params: { alertTargetId } });
}

async function addKeys(fixture: ConsoleFixture, user: Caller): Promise<string[]> {
  const groups = (await fixture.ask('listGroups')).data;
  const idOf = (name: string): string => groups.find((group) => group.name === name)?.id ?? '';
  const add = async (name: string, group: string, limits: object = {}) =>
    await fixture.ask('createKey', { as: user, body: { name, groupId: idOf(group), ...limits } });
  // The oldest, so that the row whose menu is opened is one of a key that works: its entries are
  // those of pages.ts.
  const former = await add('Prototype 2025', 'general');
  await fixture.ask('updateKey', {
    as: user,
    params: { keyId: former.id },
    body: { status: 'disabled' },
  });
  const laptop = await add('Laptop', 'mixed');
  const server = await add('Support assistant (production)', 'general', {
    budgetMonthUsd: '60',
    rpm: 600,
    ipAllowlist: ['203.0.113.0/24'],
  });
  const ci = await add('Continuous integration', 'claude-tools', { budgetDayUsd: '2' });
  return [laptop.value, server.value, ci.value];
}

async function useKeys(fixture: ConsoleFixture, keys: readonly string[]): Promise<void> {
  const models = ['gpt-6.2-sol', 'gpt-6.2-sol', 'claude-sonnet-5-5'];
  for (const [index, key] of keys.entries()) {
    for (const content of QUESTIONS) {
      const response = await fetch(`${fixture.weir.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: models[index], messages: [{ role: 'user', content }] }),
      });
      await response.text();
    }
  }
}

/** A UUID of version 7: orders are listed by their ids, which begin with the time. */
function idOfTime(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The past, which no request of today can make: usage of weeks, paid orders. */
async function writeHistory(fixture: ConsoleFixture, accountId: string): Promise<string> {
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  try {
    await client.query(USAGE_HISTORY);
    await client.query(REQUEST_HISTORY);
    const add = async (usd: number, status: string, days: number): Promise<string> => {
      const id = idOfTime(Date.now() - days * DAY_MS);
      await client.query(
        `insert into orders (id, account_id, user_id, kind, amount_nano_usd, status, payment_intent_id, paid_at, created_at)
         select $1::uuid, u.account_id, u.id, 'top_up', $3::bigint * 1000000000, $4::text, $1::uuid::text,
           case when $4::text = 'paid' then now() - make_interval(days => $5::int) end, now() - make_interval(days => $5::int)
         from users u where u.account_id = $2`,
        [id, accountId, usd, status, days],
      );
      return id;
    };
    await add(20, 'paid', 41);
    await add(50, 'expired', 12);
    return await add(50, 'paid', 11);
  } finally {
    await client.end();
  }
}

export async function stockForPictures(fixture: ConsoleFixture): Promise<PictureStock> {
  const admin = await fixture.logIn(fixture.admin);
  const user = await fixture.register(CUSTOMER);
  const newcomer = await fixture.register(NEWCOMER);
  for (const name of CUSTOMERS) {
    const other = await fixture.register(`${name}@example.org`);
    const { id } = await fixture.ask('getOwnAccount', { as: other });
    await credit(fixture, id, String(5 + name.length * 3));
    await addKeys(fixture, other);
  }
  const { id: accountId } = await fixture.ask('getOwnAccount', { as: user });
  await credit(fixture, accountId, '120');
  const channelId = await addChannels(fixture);
  await addAlerts(fixture);
  const batch = await openShop(fixture, accountId);
  await fixture.ask('redeemCode', { as: user, body: { code: batch.codes[0] ?? '' } });
  const keys = await addKeys(fixture, user);
  await fixture.ask('createAccessToken', {
    as: user,
    body: { name: 'Monthly report', scope: 'read' },
  });
  const orderId = await writeHistory(fixture, accountId);
  // Until the gateway has heard of all of it.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await useKeys(fixture, keys);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return {
    user,
    admin,
    newcomer,
    accountId,
    key: keys[0] ?? '',
    keyId: (await fixture.ask('listKeys', { as: user })).data[0]?.id ?? '',
    modelId: (await fixture.ask('listModels')).data[0]?.id ?? '',
    channelId,
    batchId: batch.id,
    groupId: await addPartners(fixture, accountId),
    orderId,
    requestId: await untilFailed(fixture),
    slug: await stockSignOn(fixture, accountId),
    month: new Date().toISOString().slice(0, 7),
    secrets: [],
  };
}
