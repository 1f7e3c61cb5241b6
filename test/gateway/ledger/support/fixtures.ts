import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type {
  CreditEntry,
  ExtendRequest,
  HoldRequest,
  Payer,
  SettleRequest,
  SubscriptionTerms,
} from '../../../../gateway/ledger/ledger.ts';
import type { UsageRecordJson } from '../../../../shared/watch/usage-record.ts';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { payerOf, type PayerOverrides } from '../../../support/ledger/payer.ts';
import { testClock } from './test-clock.ts';

/** One dollar. */
export const USD = 1_000_000_000;

export const requestId = (): string => newRequestId(testClock.nowMs());

/** The same payer with other terms. */
export function withTerms(payer: Payer, overrides: PayerOverrides): Payer {
  return {
    account: { ...payer.account, ...overrides.account },
    key: { ...payer.key, ...overrides.key },
    group: { ...payer.group, ...overrides.group },
    subscriptions: overrides.subscriptions ?? payer.subscriptions,
    team: overrides.team === undefined ? (payer.team ?? null) : overrides.team,
    member: overrides.member === undefined ? (payer.member ?? null) : overrides.member,
  };
}

export function subscriptionOf(
  allowances: SubscriptionTerms['allowances'],
  overrides: Partial<SubscriptionTerms> = {},
): SubscriptionTerms {
  const startedAtMs = testClock.nowMs() - 60_000;
  return {
    id: randomUUID(),
    startedAtMs,
    endsAtMs: startedAtMs + 400 * 86_400_000,
    allowances,
    ...overrides,
  };
}

export async function createAccount(pool: pg.Pool, id: string = randomUUID()): Promise<string> {
  await pool.query(
    `insert into accounts (id, name) values ($1::uuid, 'test') on conflict do nothing`,
    [id],
  );
  return id;
}

/** Adds a credit in Postgres without telling the ledger. */
export async function addCredit(
  pool: pg.Pool,
  accountId: string,
  amountNanoUsd: number,
  holdId: string | null = null,
): Promise<CreditEntry> {
  const entryId = randomUUID();
  const { rows } = await pool.query<{ sequence: number }>(
    `select sequence from add_credit($1, $2, $3, 'top_up', '', 'test', $4)`,
    [entryId, accountId, amountNanoUsd, holdId],
  );
  return { entryId, accountId, sequence: rows[0]?.sequence ?? 0, amountNanoUsd, holdId };
}

/** An account with this balance in Postgres, and a payer for it. */
export async function fund(
  pool: pg.Pool,
  amountNanoUsd: number,
  overrides: PayerOverrides = {},
): Promise<Payer> {
  const payer = payerOf(overrides);
  await createAccount(pool, payer.account.id);
  if (amountNanoUsd !== 0) await addCredit(pool, payer.account.id, amountNanoUsd);
  return payer;
}

export function holdOf(payer: Payer, overrides: Partial<HoldRequest> = {}): HoldRequest {
  const amountNanoUsd = overrides.amountNanoUsd ?? USD;
  return {
    requestId: requestId(),
    payer,
    amountNanoUsd,
    minimumNanoUsd: amountNanoUsd,
    tokens: 100,
    ttlMs: 120_000,
    ...overrides,
  };
}

export function extendOf(hold: HoldRequest, overrides: Partial<ExtendRequest> = {}): ExtendRequest {
  const amountNanoUsd = overrides.amountNanoUsd ?? USD;
  return {
    requestId: hold.requestId,
    payer: hold.payer,
    extension: 1,
    amountNanoUsd,
    minimumNanoUsd: amountNanoUsd,
    ttlMs: 120_000,
    ...overrides,
  };
}

/** The timestamp of a request id. */
function createdAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The member and the team of a request, as its record names them. */
export function sharersOf({ team, member }: Payer): Pick<UsageRecordJson, 'memberId' | 'teamId'> {
  return { ...(member && { memberId: member.id }), ...(team && { teamId: team.id }) };
}

export function recordOf(hold: HoldRequest, costNanoUsd: number): UsageRecordJson {
  return {
    requestId: hold.requestId,
    accountId: hold.payer.account.id,
    keyId: hold.payer.key.id,
    groupId: hold.payer.group.id,
    ...sharersOf(hold.payer),
    model: 'test-model',
    channelId: null,
    protocol: 'openai-chat',
    upstreamProtocol: 'openai-chat',
    createdAtMs: createdAtMs(hold.requestId),
    status: 'completed',
    httpStatus: 200,
    stream: false,
    input: 10,
    cachedInput: 2,
    cacheWrite: 1,
    output: 20,
    reasoning: 5,
    inputNanoUsd: 1_000_000,
    cachedInputNanoUsd: 100_000,
    cacheWriteNanoUsd: 1_250_000,
    outputNanoUsd: 4_000_000,
    perCallNanoUsd: 0,
    multiplierPpm: 1_000_000,
    costNanoUsd,
    estimated: false,
    capped: false,
    attempts: 1,
    latencyMs: 12,
    firstByteMs: 5,
  };
}

export function settleOf(
  hold: HoldRequest,
  actualNanoUsd: number,
  overrides: Partial<SettleRequest> = {},
): SettleRequest {
  return {
    requestId: hold.requestId,
    payer: hold.payer,
    actualNanoUsd,
    tokens: hold.tokens,
    recordJson: JSON.stringify(recordOf(hold, actualNanoUsd)),
    ...overrides,
  };
}
