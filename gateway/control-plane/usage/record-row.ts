import {
  METER_IDS,
  METERS,
  UNITS,
  type BillPart,
  type MeterCounts,
  type MeterPrices,
} from '@weir/shared/prices/meters';
import type { ProtocolId, UpstreamProtocolId } from '@weir/shared/catalog/protocols';
import type { PriceLine, UsageRecordAdminView, UsageRecordView } from '@weir/shared/watch/usage';
import type { Prices, TokenCounts, UsageStatus } from '@weir/shared/watch/usage-record';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { multiplierFromPpm } from '../api/amount.ts';
import { pricesView } from '../models/model-row.ts';

export interface RecordRow extends Omit<Prices, 'extra'> {
  readonly requestId: string;
  readonly createdAt: Date;
  /** Microseconds since 1970, exact: what the list is sorted by. */
  readonly atUs: string;
  readonly accountId: string;
  readonly accountName: string | null;
  readonly keyId: string;
  readonly keyName: string | null;
  readonly groupId: string;
  readonly groupName: string | null;
  readonly memberId: number | null;
  readonly memberName: string | null;
  readonly teamId: number | null;
  readonly teamName: string | null;
  readonly model: string;
  readonly channelId: string | null;
  readonly channelName: string | null;
  readonly protocol: ProtocolId | null;
  readonly upstreamProtocol: UpstreamProtocolId | null;
  readonly status: UsageStatus;
  readonly httpStatus: number;
  readonly stream: boolean;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly extraMeters: MeterCounts | null;
  readonly extraPrices: MeterPrices | null;
  readonly tier: string | null;
  readonly multiplierPpm: number;
  readonly costNanoUsd: number;
  readonly balanceNanoUsd: number;
  readonly subscriptionNanoUsd: number;
  readonly uncollectedNanoUsd: number;
  readonly estimated: boolean;
  readonly capped: boolean;
  readonly attempts: number;
  readonly latencyMs: number;
  readonly firstByteMs: number | null;
}

/** The e-mail address of a member, in SQL. */
export function memberNameSql(id: string): string {
  return `(select u.email from members m join users u on u.id = m.user_id where m.id = ${id})`;
}

export function teamNameSql(id: string): string {
  return `(select name from teams where id = ${id})`;
}

/** Names are looked up next to the page's rows, not joined into the search for them. */
export const RECORD_COLUMNS = `
  r.request_id as "requestId", r.created_at as "createdAt",
  (extract(epoch from r.created_at) * 1000000)::bigint::text as "atUs", r.account_id as "accountId",
  (select name from accounts where id = r.account_id) as "accountName", r.key_id as "keyId",
  (select name from keys where id = r.key_id) as "keyName", r.group_id as "groupId",
  (select name from groups where id = r.group_id) as "groupName",
  r.member_id as "memberId", ${memberNameSql('r.member_id')} as "memberName",
  r.team_id as "teamId", ${teamNameSql('r.team_id')} as "teamName", r.model, r.channel_id as "channelId",
  (select name from channels where id = r.channel_id) as "channelName", usage_status(r.status) as status, r.http_status as "httpStatus",
  r.tier, r.protocol, r.upstream_protocol as "upstreamProtocol", r.stream, r.input_tokens as "inputTokens", r.cached_input_tokens as "cachedInputTokens",
  r.cache_write_tokens as "cacheWriteTokens", r.output_tokens as "outputTokens",
  r.reasoning_tokens as "reasoningTokens", r.input_nano_usd as "inputNanoUsd",
  r.cached_input_nano_usd as "cachedInputNanoUsd", r.cache_write_nano_usd as "cacheWriteNanoUsd",
  r.output_nano_usd as "outputNanoUsd", r.per_call_nano_usd as "perCallNanoUsd",
  r.multiplier_ppm as "multiplierPpm", r.cost_nano_usd as "costNanoUsd", r.balance_nano_usd as "balanceNanoUsd",
  r.subscription_nano_usd as "subscriptionNanoUsd", r.uncollected_nano_usd as "uncollectedNanoUsd",
  r.extra_meters as "extraMeters", r.extra_prices as "extraPrices",
  r.estimated, r.capped, r.attempts, r.latency_ms as "latencyMs", r.first_byte_ms as "firstByteMs"`;

function tokensOf(row: RecordRow): Required<Omit<TokenCounts, 'tier'>> {
  return {
    input: row.inputTokens,
    cachedInput: row.cachedInputTokens,
    cacheWrite: row.cacheWriteTokens,
    output: row.outputTokens,
    reasoning: row.reasoningTokens,
    extra: row.extraMeters ?? {},
  };
}

/** Decimals of a line: nine of the dollar, six of the price's million, six of the multiplier's. */
const LINE_DECIMALS = 21;
/** A line of a price for fewer than a million is multiplied by what is missing to it. */
const PRICE_MILLION = 1_000_000;

/** quantity x price x multiplier in USD, exact. */
function exactCost(quantity: bigint, nanoUsd: number, ppm: number): string {
  const digits = (quantity * BigInt(nanoUsd) * BigInt(ppm))
    .toString()
    .padStart(LINE_DECIMALS + 1, '0');
  const fraction = digits.slice(-LINE_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -LINE_DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Returns how a cost was computed, from the record alone. Lines are exact and sum to the cost
 * before it was rounded up; a request that billed nothing has none.
 */
function priceLines(row: RecordRow): PriceLine[] {
  if (row.status === 'failed') return [];
  const multiplier = multiplierFromPpm(row.multiplierPpm);
  return billParts(row)
    .filter(
      ({ part, quantity, nanoUsd }) =>
        part === 'input' ||
        part === 'output' ||
        (quantity > 0 && (part !== 'per_call' || nanoUsd > 0)),
    )
    .map(({ part, quantity, nanoUsd, perPrice, variant }) => ({
      part,
      quantity,
      ...(variant === undefined ? {} : { variant }),
      priceUsd: decimalFromNanoUsd(nanoUsd),
      multiplier,
      costUsd: exactCost(
        BigInt(quantity) * BigInt(PRICE_MILLION / perPrice),
        nanoUsd,
        row.multiplierPpm,
      ),
    }));
}

interface PricedPart {
  readonly part: BillPart;
  readonly quantity: number;
  readonly nanoUsd: number;
  readonly perPrice: number;
  readonly variant?: string | undefined;
}

function billParts(row: RecordRow): PricedPart[] {
  const meters = METER_IDS.map((id) => {
    const { part, unit } = METERS[id];
    const quantity = row.extraMeters?.[id] ?? 0;
    const { perPrice, charged } = UNITS[unit];
    const variant = charged === 'basis' ? row.extraMeters?.variant : undefined;
    return { part, unit, quantity, nanoUsd: row.extraPrices?.[id] ?? 0, perPrice, variant };
  });
  const tokensIn = (whole: 'input_tokens' | 'output_tokens'): number =>
    meters.reduce((sum, { unit, quantity }) => sum + (unit === whole ? quantity : 0), 0);
  const plainInput =
    row.inputTokens - row.cachedInputTokens - row.cacheWriteTokens - tokensIn('input_tokens');
  const plainOutput = row.outputTokens - tokensIn('output_tokens');
  const tokens = (part: BillPart, quantity: number, nanoUsd: number): PricedPart => {
    return { part, quantity, nanoUsd, perPrice: PRICE_MILLION };
  };
  return [
    tokens('input', plainInput, row.inputNanoUsd),
    tokens('cached_input', row.cachedInputTokens, row.cachedInputNanoUsd),
    tokens('cache_write', row.cacheWriteTokens, row.cacheWriteNanoUsd),
    tokens('output', plainOutput, row.outputNanoUsd),
    ...meters,
    { part: 'per_call', quantity: 1, nanoUsd: row.perCallNanoUsd, perPrice: 1 },
  ];
}

export function recordView(row: RecordRow): UsageRecordView {
  return {
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
    accountId: row.accountId,
    keyId: row.keyId,
    keyName: row.keyName,
    groupId: row.groupId,
    groupName: row.groupName,
    memberId: row.memberId,
    memberName: row.memberName,
    teamId: row.teamId,
    teamName: row.teamName,
    model: row.model,
    protocol: row.protocol,
    upstreamProtocol: row.upstreamProtocol,
    status: row.status,
    httpStatus: row.httpStatus,
    stream: row.stream,
    tokens: tokensOf(row),
    prices: pricesView({ ...row, extra: row.extraPrices ?? {} }),
    tier: row.tier,
    multiplier: multiplierFromPpm(row.multiplierPpm),
    priceLines: priceLines(row),
    costUsd: decimalFromNanoUsd(row.costNanoUsd),
    fromBalanceUsd: decimalFromNanoUsd(row.balanceNanoUsd),
    fromSubscriptionUsd: decimalFromNanoUsd(row.subscriptionNanoUsd),
    uncollectedUsd: decimalFromNanoUsd(row.uncollectedNanoUsd),
    estimated: row.estimated,
    capped: row.capped,
    attempts: row.attempts,
    latencyMs: row.latencyMs,
    firstByteMs: row.firstByteMs,
  };
}

export function recordAdminView(row: RecordRow): UsageRecordAdminView {
  const { channelId, channelName, accountName } = row;
  return { ...recordView(row), channelId, channelName, accountName };
}
