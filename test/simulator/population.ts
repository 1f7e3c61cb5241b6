import type {
  Allowance,
  GroupTerms,
  Budget,
  Payer,
  SharerTerms,
  SubscriptionTerms,
} from '../../gateway/ledger/ledger.ts';
import type { Random } from './random.ts';

const DAY_MS = 86_400_000;
const USD = 1_000_000_000;

/**
 * An account and everyone who may pay with it. Terms of a payer never change; some payers share a
 * key.
 */
export interface Customer {
  readonly accountId: string;
  readonly payers: readonly Payer[];
  readonly zone: string;
}

/** With and without summer time, at both ends of the day, one that changes at midnight. */
const ZONES = [
  'Europe/Berlin',
  'Pacific/Auckland',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Africa/Cairo',
];

/**
 * Customers of every kind: with and without limits, budgets and subscriptions, suspended, with
 * expired keys.
 */
export function populate(random: Random, count: number, nowMs: number): Customer[] {
  const groups = Array.from({ length: 3 }, (_value, index) => ({
    id: random.uuid(),
    rpm: index === 0 ? null : random.pick([5, 60, 997]),
    tpm: index === 0 ? null : random.pick([10_000, 99_991]),
  }));
  return Array.from({ length: count }, () => customerOf(random, groups, nowMs));
}

function customerOf(random: Random, groups: readonly GroupTerms[], nowMs: number): Customer {
  const accountId = random.uuid();
  const subscriptions = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () =>
    subscriptionOf(random, nowMs),
  );
  const keys = Array.from({ length: random.between(1, 3) }, () =>
    payerOf(random, accountId, groups),
  );
  const preference = random.pick(['subscription_first', 'balance_first'] as const);
  const payers = keys.map((payer) => ({
    ...payer,
    account: { ...payer.account, preference },
    subscriptions,
  }));
  const [first] = payers;
  if (first !== undefined && random.chance(0.2)) {
    payers.push({ ...first, account: { ...first.account, status: 'suspended' } });
    payers.push({
      ...first,
      key: { ...first.key, expiresAtMs: nowMs + random.between(0, DAY_MS) },
    });
    payers.push({ ...first, subscriptions: [] });
  }
  if (random.chance(0.5)) return { accountId, payers, zone: 'UTC' };
  return { accountId, payers: organise(random, payers), zone: random.pick(['UTC', ...ZONES]) };
}

/** Gives keys to members and teams; some payers come without the budgets that others have. */
function organise(random: Random, payers: readonly Payer[]): Payer[] {
  const account = budgetsOf(random);
  const teams = [sharerOf(random, 1), sharerOf(random, 2)];
  const members = [sharerOf(random, 11), sharerOf(random, 12), sharerOf(random, 13)];
  return payers.map((payer) => {
    const share = (terms: SharerTerms): SharerTerms =>
      random.chance(0.8) ? terms : { ...terms, budgets: [] };
    return {
      ...payer,
      account: { ...payer.account, budgets: random.chance(0.8) ? account : [] },
      team: random.chance(0.7) ? share(random.pick(teams)) : null,
      member: random.chance(0.7) ? share(random.pick(members)) : null,
    };
  });
}

function sharerOf(random: Random, id: number): SharerTerms {
  return { id, budgets: budgetsOf(random) };
}

function budgetsOf(random: Random): Budget[] {
  return (['total', 'day', 'month'] as const)
    .filter(() => random.chance(0.4))
    .map((period) => ({ period, limitNanoUsd: random.between(1, 600) * USD }));
}

function payerOf(random: Random, accountId: string, groups: readonly GroupTerms[]): Payer {
  const limited = random.chance(0.6);
  const budgets = (['total', 'day', 'month'] as const)
    .filter(() => limited && random.chance(0.3))
    .map((period) => ({ period, limitNanoUsd: random.between(1, 400) * USD }));
  return {
    account: {
      id: accountId,
      status: 'active',
      concurrencyMax: limited && random.chance(0.3) ? random.between(3, 20) : null,
      preference: 'subscription_first',
    },
    key: {
      id: random.uuid(),
      status: 'active',
      expiresAtMs: null,
      budgets,
      concurrencyMax: limited && random.chance(0.3) ? random.between(1, 10) : null,
      rpm: limited && random.chance(0.4) ? random.pick([3, 7, 60, 600]) : null,
      tpm: limited && random.chance(0.4) ? random.pick([1_000, 7_777, 1_000_000]) : null,
    },
    group: random.pick(groups),
    subscriptions: [],
  };
}

function subscriptionOf(random: Random, nowMs: number): SubscriptionTerms {
  const startedAtMs = nowMs - random.between(0, 40 * DAY_MS) + DAY_MS / 4;
  const allowances = (['5h', 'day', 'week', 'month'] as const)
    .filter(() => random.chance(0.5))
    .map((window): Allowance => ({ window, limitNanoUsd: random.between(1, 60) * USD }));
  return {
    id: random.uuid(),
    startedAtMs,
    endsAtMs: startedAtMs + random.between(20, 400) * DAY_MS,
    allowances,
  };
}
