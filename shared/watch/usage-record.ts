import type { MeterCounts, MeterPrices } from '../prices/meters.ts';
import type { ProtocolId, UpstreamProtocolId } from '../catalog/protocols.ts';

/**
 * The ways in which a request ends. Only the first five ever bill anything; see ARCHITECTURE.md,
 * "What is billed".
 */
export const USAGE_STATUSES = [
  /** The client got the whole reply. */
  'completed',
  /** The client disconnected; what was delivered by then is billed, which may be nothing. */
  'client_disconnected',
  /** The upstream disconnected after the first byte to the client; what was delivered is billed. */
  'upstream_disconnected',
  /** Funds ran out during a stream; it ended with finish_reason "length" and an error event. */
  'funds_exhausted',
  /**
   * The ledger was unavailable, so a stream could not be extended; what was delivered is billed.
   */
  'ledger_unavailable',
  /** The reply never began: nothing is billed. */
  'failed',
] as const;

export type UsageStatus = (typeof USAGE_STATUSES)[number];

/** Filters of lists of requests: those that completed, and all others. */
export const REQUEST_OUTCOMES = ['served', 'failed'] as const;

/**
 * Tokens of one request. `cachedInput` and `cacheWrite` are parts of `input`; `reasoning` is a part
 * of `output`.
 */
export interface TokenCounts {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
  /**
   * The counts of other meters; absent if none counted. shared/prices/meters.ts says what is
   * part of what.
   */
  readonly extra?: MeterCounts;
  /**
   * The tier of processing that the upstream reports; absent for the ordinary one, and in records.
   */
  readonly tier?: string;
}

/**
 * The prices a request was billed at: nanodollars per one million tokens, and per call. Those of a
 * model that is priced by a basis meter, such as images, are 0 except for that meter's.
 */
export interface Prices {
  readonly inputNanoUsd: number;
  readonly cachedInputNanoUsd: number;
  readonly cacheWriteNanoUsd: number;
  readonly outputNanoUsd: number;
  readonly perCallNanoUsd: number;
  /**
   * Prices of meters. Of a model: those that it has. Of a record: what each of its `tokens.extra`
   * was billed at; absent where that is.
   */
  readonly extra?: MeterPrices;
}

/** One request's bill, written once by the gateway that served it and never changed. */
export interface UsageRecord {
  /** UUID version 7: also the request id in logs and in the `x-request-id` header. */
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly groupId: string;
  /** The member whose key it was. Absent for the account's own, and in accounts of one person. */
  readonly memberId?: number | undefined;
  /** The team of the member, or of the key, at that time. */
  readonly teamId?: number | undefined;
  /** The model's public ID as the client sent it. */
  readonly model: string;
  /** The channel that delivered, null when none did. */
  readonly channelId: string | null;
  /** The protocol of the client. */
  readonly protocol: ProtocolId;
  /** The protocol of that channel's upstream; null when none was asked. */
  readonly upstreamProtocol: UpstreamProtocolId | null;
  /**
   * The time of the request, epoch milliseconds; with `requestId` the primary key of the record.
   */
  readonly createdAtMs: number;
  readonly status: UsageStatus;
  /** HTTP status the client saw; 0 when it left before. */
  readonly httpStatus: number;
  readonly stream: boolean;
  readonly tokens: TokenCounts;
  readonly prices: Prices;
  /** The tier of processing whose prices these are; absent for the ordinary one. */
  readonly tier?: string;
  /** Group multiplier in parts per million: 1_000_000 is 1. */
  readonly multiplierPpm: number;
  /** The cost of the request: tokens x prices x multiplier, rounded up once. */
  readonly costNanoUsd: number;
  /**
   * The operator's cost at the upstream, at the price in force there at the time. Absent if
   * unknown. Only administrators may learn it.
   */
  readonly upstreamCostNanoUsd?: number | undefined;
  /** Tokens were counted here because the upstream reported none. */
  readonly estimated: boolean;
  /** The upstream reported impossible usage, which was capped. */
  readonly capped: boolean;
  /** Upstream attempts, including the one that delivered. */
  readonly attempts: number;
  readonly latencyMs: number;
  /**
   * Time to the first content of a stream, or to the whole of another reply; null when there was
   * none.
   */
  readonly firstByteMs: number | null;
}

/**
 * A record as JSON, which the ledger keeps with the charge and PostgreSQL reads: of one level,
 * because that is the fastest to read (stores/postgres/functions/usage.sql). A new member needs an
 * attribute of PostgreSQL's type usage_entry, by a migration.
 */
export type UsageRecordJson = Omit<UsageRecord, 'tokens' | 'prices'> &
  Omit<TokenCounts, 'extra' | 'tier'> &
  Omit<Prices, 'extra'> & {
    readonly extraMeters?: MeterCounts;
    readonly extraPrices?: MeterPrices;
  };
