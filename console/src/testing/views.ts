import type { AccountAdminView } from '@weir/shared/people/accounts';
import type { GroupView } from '@weir/shared/catalog/groups';
import type { KeyView } from '@weir/shared/people/keys';
import type { ModelView } from '@weir/shared/catalog/models';
import type { OrderView } from '@weir/shared/money/orders';
import type { PlanView } from '@weir/shared/money/plans';
import type { Pricing, PricingModel } from '@weir/shared/prices/prices';
import type { PublicSettings, SettingsView } from '@weir/shared/people/settings';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import type { UsageDayView, UsageRecordView } from '@weir/shared/watch/usage';
import type { UserView } from '@weir/shared/people/users';

/**
 * Replies of the admin API as specs want them: whole, and plain enough to be changed in the one
 * place that matters.
 */

export const NOW = '2026-11-21T12:00:00.000Z';

function id(number: number): string {
  return `01a1fe10-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export const GROUP_ID = id(1);
export const OTHER_GROUP_ID = id(2);

export const account: AccountAdminView = {
  note: '',
  id: id(10),
  name: 'Ada',
  status: 'active',
  concurrencyMax: null,
  subscriptionPreference: 'subscription_first',
  balance: { availableUsd: '12.5', heldUsd: '0', owedUsd: '0', requestsInFlight: 0 },
  deletedAt: null,
  createdAt: NOW,
  updatedAt: NOW,
};

export const user: UserView = {
  id: id(11),
  accountId: account.id,
  email: 'ada@example.org',
  role: 'user',
  emailVerified: true,
  secondFactor: false,
  disabled: false,
  language: 'en',
  theme: 'system',
  createdAt: NOW,
  lastLoginAt: NOW,
};

export const key: KeyView = {
  id: id(20),
  accountId: account.id,
  accountName: account.name,
  name: 'Laptop',
  prefix: 'sk-abcdef',
  groupId: GROUP_ID,
  groupName: 'general',
  groupState: 'open',
  owner: 'member',
  memberId: '1',
  memberEmail: 'ada@example.org',
  memberGone: false,
  teamId: null,
  teamName: null,
  createdBy: 'ada@example.org',
  status: 'active',
  expiresAt: null,
  budgetTotalUsd: null,
  budgetDayUsd: null,
  budgetMonthUsd: null,
  rpm: null,
  tpm: null,
  concurrencyMax: null,
  ipAllowlist: [],
  ...{ modelAllowlist: [], contentLog: null },
  spend: { totalUsd: '0', dayUsd: '0', monthUsd: '0' },
  lastUsedAt: null,
  ...{ formerValueWorksUntil: null, login: null },
  createdAt: NOW,
  updatedAt: NOW,
};

export const group: GroupView = {
  id: GROUP_ID,
  name: 'general',
  description: '',
  multiplier: '1',
  access: 'public',
  open: true,
  rpm: null,
  tpm: null,
  status: 'active',
  protocols: null,
  sortOrder: 0,
  modelsCount: 2,
  createdAt: NOW,
  updatedAt: NOW,
};

export const catalogModel: ModelView = {
  id: id(70),
  publicId: 'river-1',
  displayName: 'River One',
  vendor: '',
  description: '',
  contextTokensMax: 8_192,
  outputTokensMax: 1_024,
  capabilities: ['tools'],
  status: 'active',
  sortOrder: 0,
  groupIds: [GROUP_ID],
  channelIds: [],
  price: null,
  nextPriceFrom: null,
  createdAt: NOW,
  updatedAt: NOW,
};

export const order: OrderView = {
  id: id(30),
  accountId: account.id,
  accountName: account.name,
  kind: 'top_up',
  amountUsd: '20',
  refundedUsd: '5.5',
  chargedBackUsd: '0',
  planId: null,
  planName: null,
  status: 'paid',
  checkoutUrl: null,
  paidAt: NOW,
  expiresAt: null,
  createdAt: NOW,
};

export const plan: PlanView = {
  id: id(41),
  name: 'Pro',
  description: '',
  priceUsd: '20',
  periodDays: 30,
  status: 'active',
  sortOrder: 0,
  groups: [{ id: GROUP_ID, name: 'general' }],
  allowances: [
    { window: '5h', limitUsd: '5' },
    { window: 'month', limitUsd: '40' },
  ],
  createdAt: NOW,
  updatedAt: NOW,
};

export const subscription: SubscriptionView = {
  id: id(40),
  accountId: account.id,
  accountName: account.name,
  planId: plan.id,
  planName: plan.name,
  status: 'active',
  startedAt: NOW,
  endsAt: '2026-12-21T12:00:30.000Z',
  renews: false,
  groups: [{ id: GROUP_ID, name: 'general' }],
  windows: [],
  createdAt: NOW,
  updatedAt: NOW,
};

export const settings: SettingsView = {
  siteName: 'Weir',
  registrationMode: 'open',
  emailVerificationRequired: false,
  registrationCreditUsd: '0',
  registrationCreditsPerNetwork: 5,
  emailDomainsAllowed: [],
  emailDomainsRefused: [],
  captchaProvider: 'none',
  captchaSiteKey: '',
  captchaSecretSet: false,
  topUpMinUsd: '5',
  topUpMaxUsd: '1000',
  topUpPresetsUsd: ['10', '25'],
  announcement: '',
  supportUrl: '',
  welcome: '',
  terms: '',
  privacy: '',
  creditHelp: '',
  logo: '',
  brandColor: '',
  defaultModel: '',
  usageRetentionMonths: 13,
  requestLogDays: 14,
  updatedAt: NOW,
};

export const publicSettings: PublicSettings = {
  captcha: null,
  siteName: 'Weir',
  registrationMode: 'open',
  emailVerificationRequired: false,
  gatewayUrl: 'https://gateway.example.org',
  cardPayments: true,
  mailConfigured: true,
  topUpMinUsd: '5',
  topUpMaxUsd: '1000',
  topUpPresetsUsd: ['10', '25'],
  announcement: '',
  supportUrl: '',
  creditHelp: '',
  logo: '',
  brandColor: '',
  defaultModel: '',
  hasTerms: false,
  hasPrivacy: false,
  version: '0.1.0',
};

const PRICES = {
  inputUsd: '2',
  outputUsd: '10',
  cachedInputUsd: '0.1',
  cacheWriteUsd: '2.5',
  perCallUsd: '0',
  extra: {},
};
const MODEL_PRICES = { ...PRICES, longContext: null, tiers: [] };

export function model(publicId: string, groupIds: readonly string[] = [GROUP_ID]): PricingModel {
  return {
    publicId,
    displayName: publicId,
    vendor: 'OpenAI',
    description: '',
    contextTokensMax: 128_000,
    outputTokensMax: 16_384,
    capabilities: ['tools'],
    protocols: ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'],
    prices: MODEL_PRICES,
    next: null,
    groups: groupIds.map((groupId) => ({
      groupId,
      prices: { ...MODEL_PRICES, outputUsd: '8' },
      nextPrices: null,
    })),
  };
}

export function pricing(...models: PricingModel[]): Pricing {
  return { currency: 'USD', tokensPerPrice: 1_000_000, groups: [], models };
}

const NO_USAGE = {
  requests: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: '0',
};

export function day(about: Partial<UsageDayView>): UsageDayView {
  return { day: '2026-11-20', hour: null, of: null, label: null, ...NO_USAGE, ...about };
}

export const record: UsageRecordView = {
  requestId: id(50),
  createdAt: NOW,
  accountId: account.id,
  keyId: key.id,
  keyName: key.name,
  groupId: GROUP_ID,
  groupName: 'general',
  ...{ memberId: null, memberName: null, teamId: null, teamName: null },
  model: 'gpt-6.2-sol',
  protocol: 'openai-chat',
  upstreamProtocol: 'openai-chat',
  status: 'completed',
  httpStatus: 200,
  stream: true,
  tokens: { input: 7, cachedInput: 0, cacheWrite: 0, output: 79, reasoning: 0, extra: {} },
  prices: PRICES,
  tier: null,
  multiplier: '1',
  priceLines: [],
  costUsd: '0.000804',
  fromBalanceUsd: '0.000804',
  fromSubscriptionUsd: '0',
  uncollectedUsd: '0',
  estimated: false,
  capped: false,
  attempts: 1,
  latencyMs: 900,
  firstByteMs: 300,
};

export const summary = { today: NO_USAGE, month: NO_USAGE };

/** The accounts of a user in specs that do not look at them. */
export const noAccounts = { membership: null, memberships: [] };
export const loggedInAccounts = { membership: undefined as never, memberships: [] };
