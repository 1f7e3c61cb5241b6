import type { ChannelView, FieldPolicy, OutputLimitField } from '@weir/shared/catalog/channels';
import type { ModelPrices } from '../pricing/model-prices.ts';
import type { ProtocolId } from '../protocols/protocol.ts';
import type { LearnedRefusal } from './learned-refusals.ts';

/**
 * Everything a gateway thread needs to know about groups, models, prices and channels. Immutable;
 * made by the main thread.
 */
export interface CatalogSnapshot {
  /** Grows with each snapshot of one process. */
  readonly version: number;
  readonly groups: readonly GroupEntry[];
  readonly models: readonly ModelEntry[];
  readonly channels: readonly ChannelEntry[];
  /** Prefixes of the API keys that have no check letters. An empty one matches any key. */
  readonly uncheckedKeyPrefixes: readonly string[];
}

export interface GroupEntry {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** True if all accounts may use it; otherwise those with a `Membership` may. */
  readonly isPublic: boolean;
  readonly multiplierPpm: number;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly modelIds: readonly string[];
  /** The protocols that its keys may be used with; null: all. */
  readonly protocols: readonly ProtocolId[] | null;
}

/**
 * A model with the prices in force. A model without a price is not in the snapshot: it cannot be
 * served.
 */
export interface ModelEntry extends ModelPrices {
  readonly id: string;
  readonly publicId: string;
  readonly vendor: string;
  readonly createdAtSeconds: number;
  readonly contextTokensMax: number;
  readonly outputTokensMax: number;
  /** The model may spend hidden output on reasoning before it answers. */
  readonly reasoning: boolean;
}

export interface ChannelEntry {
  readonly id: string;
  readonly name: string;
  /** The kind of its upstream; see providers/registry.ts. */
  readonly kind: ChannelView['kind'];
  /** Without a trailing slash; the provider's paths follow it. */
  readonly baseUrl: string;
  /** Decrypted, in memory only. Several share the load. */
  readonly credentials: readonly string[];
  readonly priority: number;
  readonly weight: number;
  readonly timeouts: ChannelTimeouts;
  readonly concurrencyMax: number | null;
  readonly allowPrivate: boolean;
  /**
   * The name under which the upstream takes the output limit; null keeps `max_completion_tokens`,
   * or chooses by the model's name.
   */
  readonly outputLimitField: OutputLimitField | null;
  /** Fields of requests that are not sent, because the upstream refuses them. */
  readonly omittedFields: readonly string[];
  /**
   * Locations of its upstream, the best first: `location` for all models, `model=location` for one.
   * Empty or absent: the one that the base address names.
   */
  readonly locations?: readonly string[];
  /** The policy for fields that its upstream may get. */
  readonly fieldPolicy: FieldPolicy;
  /** The address of the proxy before it; null: that of the process, `none`: no proxy. */
  readonly proxy: string | null;
  /** The protocols that its upstream speaks, the best first; null: those of its kind. */
  readonly protocols: readonly ProtocolId[] | null;
  /** Its upstream stores replies, and clients may refer to them. */
  readonly storesResponses: boolean;
  /** Ids of the groups that it serves; empty: every group. */
  readonly groupIds: readonly string[];
  readonly models: readonly ChannelModel[];
  /** Fields that its upstream has refused by name; absent: none. */
  readonly learned?: readonly LearnedField[];
  /**
   * Upstream prices of models without one of their own there: their list prices times so many parts
   * per million. Null or absent: unknown.
   */
  readonly upstreamFactorPpm?: number | null;
}

/** A field that requests to a model are sent without. */
export interface LearnedField extends Pick<LearnedRefusal, 'upstreamModel' | 'protocol' | 'field'> {
  /** The only account whose requests are sent without it; null: all. */
  readonly accountId: string | null;
  /** Epoch milliseconds; null: for good. */
  readonly untilMs: number | null;
}

export interface ChannelTimeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface ChannelModel {
  readonly modelId: string;
  readonly upstreamName: string;
  /** The operator's choice of its profile; null or absent: by address and name. */
  readonly profile?: string | null;
  /** Prices at the upstream; absent if the operator has not entered them. */
  readonly upstreamPrices?: ModelPrices;
}
