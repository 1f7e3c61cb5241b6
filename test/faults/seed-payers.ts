import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { seed, seedAccount, seedKey } from '../support/seed.ts';

export interface FaultAccount {
  readonly id: string;
  readonly key: string;
  readonly model: string;
}

export interface Payers {
  readonly accounts: readonly FaultAccount[];
  /** One of them, which is short of money. */
  readonly poor: FaultAccount;
  /** One of them, whose subscriptions pay first. */
  readonly subscriber: FaultAccount;
  readonly subscriptionIds: readonly string[];
  /** Accounts that came in this round. */
  readonly newcomers: FaultAccount[];
  /** Adds an account of the steady model, which no ledger has opened, to the newcomers. */
  readonly seedNewcomer: () => Promise<FaultAccount>;
}

export function accountIds({ accounts, newcomers }: Payers): readonly string[] {
  return [...accounts, ...newcomers].map(({ id }) => id);
}

const UPSTREAM_TIMEOUT_MS = 1_000;
/** Ends a reply that hangs in its body; each round waits for the last of these. */
const TOTAL_TIMEOUT_MS = 4_000;
const TIMEOUTS = {
  firstByteMs: UPSTREAM_TIMEOUT_MS,
  idleMs: UPSTREAM_TIMEOUT_MS,
  totalMs: TOTAL_TIMEOUT_MS,
};
const USD = 1_000_000_000;
/** Enough for a few hundred requests: the account runs dry, is credited, and runs dry again. */
const POOR_CREDIT_NANO_USD = USD / 100;
const NEWCOMER_CREDIT_NANO_USD = USD / 10;
/** The first is used up soon, by requests that both pay for. */
const ALLOWANCES = [
  [
    { window: '5h', limitNanoUsd: USD / 50 },
    { window: 'day', limitNanoUsd: USD },
  ],
  [{ window: 'month', limitNanoUsd: 100 * USD }],
];
/**
 * Below what the clients would use at once, so that a place in flight which is never given back
 * shows.
 */
const CONCURRENCY_MAX = 3;

/**
 * Accounts of every kind on two models: one whose upstream is steady, one whose first upstream is
 * not.
 */
export async function seedPayers(
  pool: pg.Pool,
  upstreams: { readonly steady: string; readonly moody: string },
): Promise<Payers> {
  const steady = await seedModel(pool, 'steady-model', [upstreams.steady]);
  const moody = await seedModel(pool, 'moody-model', [upstreams.moody, upstreams.steady]);
  const poor = await seedPayer(pool, steady, POOR_CREDIT_NANO_USD);
  const limited = await seedPayer(pool, moody, 100 * USD);
  await pool.query('update accounts set concurrency_max = $2 where id = $1', [
    limited.id,
    CONCURRENCY_MAX,
  ]);
  const subscriber = await seedPayer(pool, moody, 100 * USD);
  const subscriptionIds = await seedSubscriptions(pool, subscriber.id, moody.groupId);
  const rich = await Promise.all(
    [steady, steady, moody].map((model) => seedPayer(pool, model, 100 * USD)),
  );
  const organised = await seedOrganisation(pool, steady);
  const accounts = [
    steady.account,
    moody.account,
    ...rich,
    poor,
    limited,
    subscriber,
    ...organised,
  ];
  const newcomers: FaultAccount[] = [];
  const seedNewcomer = async (): Promise<FaultAccount> => {
    const newcomer = await seedPayer(pool, steady, NEWCOMER_CREDIT_NANO_USD);
    newcomers.push(newcomer);
    return newcomer;
  };
  return { accounts, poor, subscriber, subscriptionIds, newcomers, seedNewcomer };
}

interface SeededModel {
  readonly model: string;
  readonly groupId: string;
  readonly account: FaultAccount;
}

async function seedModel(
  pool: pg.Pool,
  model: string,
  upstreams: readonly string[],
): Promise<SeededModel> {
  const models = [{ publicId: model }];
  const { accountId, groupId, key } = await seed(pool, { upstreams, models, timeouts: TIMEOUTS });
  return { model, groupId, account: { id: accountId, key, model } };
}

async function seedPayer(
  pool: pg.Pool,
  { model, groupId }: SeededModel,
  creditNanoUsd: number,
): Promise<FaultAccount> {
  const id = await seedAccount(pool, creditNanoUsd);
  const { key } = await seedKey(pool, id, groupId);
  return { id, key, model };
}

/** Budgets that bind: a total that is used up during a run, and others that are not. */
const SHARED_BUDGETS = [
  ['account', null, 50 * USD, null],
  ['team', 10 * USD, null, null],
  ['member', null, USD / 20, 20 * USD],
] as const;
const MEMBERS = 3;

/** An account of three members in a team, each with a key, and with budgets at each level. */
async function seedOrganisation(
  pool: pg.Pool,
  { model, groupId }: SeededModel,
): Promise<FaultAccount[]> {
  const id = await seedAccount(pool, 100 * USD);
  const { rows: teams } = await pool.query<{ id: number }>(
    `insert into teams (account_id, name) values ($1, 'team') returning id`,
    [id],
  );
  const team = teams[0]?.id ?? 0;
  const payers: FaultAccount[] = [];
  const scopes: [scope: string, kind: string][] = [
    ['account', 'account'],
    [`team:${team}`, 'team'],
  ];
  for (let index = 0; index < MEMBERS; index += 1) {
    await pool.query(
      `insert into users (id, account_id, email, password_hash)
       values (gen_random_uuid(), $1::uuid, $1::uuid || '-' || $2::integer || '@example.org', '')`,
      [id, index],
    );
    const { rows } = await pool.query<{ id: number }>(
      `update members set team_id = $2 where id = (select max(id) from members where account_id = $1) returning id`,
      [id, team],
    );
    const member = rows[0]?.id ?? 0;
    const { key, keyId } = await seedKey(pool, id, groupId);
    await pool.query('update keys set member_id = $2 where id = $1', [keyId, member]);
    scopes.push([`member:${member}`, 'member']);
    payers.push({ id, key, model });
  }
  await pool.query('update accounts set budgeted = true where id = $1', [id]);
  for (const [scope, kind] of scopes) {
    const [, total, day, month] = SHARED_BUDGETS.find(([of]) => of === kind) ?? [];
    await pool.query('insert into spend_budgets values ($1, $2, $3, $4, $5)', [
      id,
      scope,
      total,
      day,
      month,
    ]);
  }
  return payers;
}

async function seedSubscriptions(
  pool: pg.Pool,
  accountId: string,
  groupId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, allowances] of ALLOWANCES.entries()) {
    const [planId, id] = [randomUUID(), randomUUID()];
    await pool.query('insert into plans (id, name, price_nano_usd) values ($1, $2, 0)', [
      planId,
      `plan ${planId}`,
    ]);
    await pool.query(
      `insert into subscriptions (id, account_id, plan_id, started_at, ends_at, allowances, group_ids)
       values ($1, $2, $3, now(), now() + ($4 || ' days')::interval, $5, array[$6::uuid])`,
      [id, accountId, planId, 30 + index, JSON.stringify(allowances), groupId],
    );
    ids.push(id);
  }
  return ids;
}
