import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  Limit,
  Name,
  nullable,
  partial,
  TEXT_KIND,
} from '../api/wire-values.ts';
import { CHANNEL_PROTOCOLS } from './protocols.ts';
import { MODEL_IMPORT_MAX, ModelImportItem } from './models.ts';
import { listOf } from '../api/pages.ts';
import { ProfileId } from './targets.ts';
import { BALANCE_API_CHOICES } from '../prices/upstream-balances.ts';

/** The kinds of upstreams that an operator can choose for a channel. */
export const UPSTREAM_KINDS = [
  'openai',
  'anthropic',
  'gemini',
  'azure',
  'bedrock',
  'vertex',
] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];
/** Only a first start makes a channel of kind `demo`. */
export const CHANNEL_KINDS = [...UPSTREAM_KINDS, 'demo'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
/**
 * The two names of the output limit; some upstreams know only the older, OpenAI's newer models
 * refuse it.
 */
export const OUTPUT_LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;
export type OutputLimitField = (typeof OUTPUT_LIMIT_FIELDS)[number];
/** Fields that a request needs, or that its hold relies on: no channel may omit these. */
const FIELDS_ALWAYS_SENT = ['model', 'messages', 'stream', ...OUTPUT_LIMIT_FIELDS];
/**
 * The kinds that serve OpenAI's paths. Only their channels have protocols to choose and a name of
 * the output limit.
 */
export function isOpenaiLike(kind: ChannelKind): boolean {
  return kind === 'openai' || kind === 'azure' || kind === 'demo';
}
/** The kinds whose channels have fields to leave out. */
export function hasOmittedFields(kind: ChannelKind): boolean {
  return isOpenaiLike(kind) || kind === 'bedrock';
}
/** The kind whose channels may have several locations. */
export const hasLocations = (kind: ChannelKind): boolean => kind === 'vertex';
/**
 * The fields of a request that an upstream gets: the known ones, or all if it is the operator's
 * own.
 */
export const FIELD_POLICIES = ['known', 'all'] as const;
export type FieldPolicy = (typeof FIELD_POLICIES)[number];
const OMITTED_FIELDS_MAX = 50;
export const CHANNEL_MODELS_MAX = 2000;
export const CHANNEL_CREDENTIALS_MAX = 50;

/**
 * An upstream credential: a text without white space, or a JSON file of a vendor whose credentials
 * are exchanged for tokens. It goes in and never comes out again. Key files of service accounts
 * have about 2,400 characters, those of workload identity more.
 */
export const CredentialSecret = Type.String({
  minLength: 1,
  maxLength: 16_000,
  pattern: '^(?:\\S+|\\{[\\s\\S]*\\})$',
  writeOnly: true,
  [TEXT_KIND]: 'credential',
});

export const ChannelModel = closed({
  modelId: Id,
  /** The upstream's name for the model. */
  upstreamName: Type.String({ minLength: 1, maxLength: 200 }),
  /**
   * The target profile of the model there; null: by the channel's address and this name. Absent in
   * a change: unchanged.
   */
  profile: Type.Optional(nullable(ProfileId)),
});
export type ChannelModel = Static<typeof ChannelModel>;

const OmittedField = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: `^(?!(?:${FIELDS_ALWAYS_SENT.join('|')})$)[A-Za-z_][A-Za-z0-9_]*$`,
});

const LOCATIONS_MAX = 100;
/** `us-east5` of all models; `{upstream's name}=us-east5` of one. */
const Location = Type.String({
  minLength: 1,
  maxLength: 250,
  pattern: '^(?:[^\\s=]+=)?[a-z][a-z0-9-]{0,39}$',
});

const TimeoutMs = Type.Integer({ minimum: 100, maximum: 3_600_000 });

export const ProxyAddress = Type.String({
  maxLength: 500,
  pattern: '^(?:none|https?://[^@\\s]+)$',
  [TEXT_KIND]: 'ascii',
});

const CHANNEL_SETTINGS = {
  status: choice(['active', 'disabled']),
  /** Higher is tried first. */
  priority: Type.Integer({ minimum: -1000, maximum: 1000 }),
  /** Share of the traffic within a priority. */
  weight: Type.Integer({ minimum: 1, maximum: 1000 }),
  connectTimeoutMs: TimeoutMs,
  firstByteTimeoutMs: TimeoutMs,
  idleTimeoutMs: TimeoutMs,
  totalTimeoutMs: TimeoutMs,
  /** Requests at once in each HTTP thread of each gateway. */
  concurrencyMax: Limit,
  /**
   * The upstream's name for the output limit; null keeps `max_completion_tokens`, and for
   * `max_tokens` chooses by the model's name.
   */
  outputLimitField: nullable(choice(OUTPUT_LIMIT_FIELDS)),
  /**
   * Fields of a request that the upstream refuses and is not sent, for example `stream_options` or
   * `store`.
   */
  omittedFields: Type.Array(OmittedField, { maxItems: OMITTED_FIELDS_MAX }),
  /**
   * The protocols that the upstream is addressed in, the best first; null: the usual one for its
   * kind.
   */
  protocols: nullable(
    Type.Array(choice(CHANNEL_PROTOCOLS), { minItems: 1, maxItems: CHANNEL_PROTOCOLS.length }),
  ),
  /**
   * Fields that neither the protocol nor a well-known vendor publishes go to operators' own
   * upstreams alone.
   */
  fieldPolicy: choice(FIELD_POLICIES),
  /**
   * The address of the proxy before the upstream; null: `HTTPS_PROXY` and `HTTP_PROXY`, `none`: no
   * proxy.
   */
  proxy: nullable(ProxyAddress),
  /**
   * The upstream stores replies of Responses, and conversations: clients may go on from them with
   * `previous_response_id` and `conversation`, read them and delete them.
   */
  storesResponses: Type.Boolean(),
  /**
   * The interface that reports the balance of the operator's account at the upstream; null: by its
   * address, if that is a known vendor's.
   */
  balanceApi: nullable(choice(BALANCE_API_CHOICES)),
  /** The best first; those of one model replace those of all. Empty: that of the base address. */
  locations: Type.Array(Location, { maxItems: LOCATIONS_MAX }),
  /** The base address may be loopback, link-local or private. */
  allowPrivate: Type.Boolean(),
  models: Type.Array(ChannelModel, { maxItems: CHANNEL_MODELS_MAX }),
  /** Empty serves every group. */
  groupIds: Type.Array(Id, { maxItems: 1000 }),
};

const ChannelSettingsPart = partial(closed(CHANNEL_SETTINGS));

/** The catalog entries that a channel brings, in the transaction that saves it. */
const CHANNEL_BRINGS = {
  /**
   * Models that are served in addition, with their prices. One that is in the catalog already must
   * have no price there.
   */
  newModels: Type.Optional(
    Type.Array(
      closed({
        ...ModelImportItem.properties,
        upstreamName: ChannelModel.properties.upstreamName,
      }),
      { maxItems: MODEL_IMPORT_MAX },
    ),
  ),
  /** Groups that every model of the channel is put into, in addition to its own. */
  sellInGroupIds: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
};

/**
 * `https://host/v1` for OpenAI's interface, the origin for the other kinds: Weir adds the path. The
 * path of a Bedrock address says which of its interfaces is used.
 */
const BaseUrl = Type.String({
  minLength: 8,
  maxLength: 500,
  pattern: '^https?://',
  [TEXT_KIND]: 'ascii',
});

export const ChannelCreate = closed({
  name: Name,
  /** `openai` when absent. */
  kind: Type.Optional(choice(UPSTREAM_KINDS)),
  baseUrl: BaseUrl,
  credentials: Type.Optional(Type.Array(CredentialSecret, { maxItems: CHANNEL_CREDENTIALS_MAX })),
  ...ChannelSettingsPart.properties,
  ...CHANNEL_BRINGS,
});
export type ChannelCreate = Static<typeof ChannelCreate>;

export const ChannelUpdate = partial(
  closed({
    name: Name,
    kind: choice(UPSTREAM_KINDS),
    baseUrl: BaseUrl,
    ...CHANNEL_SETTINGS,
    ...CHANNEL_BRINGS,
  }),
  { additionalProperties: false },
);
export type ChannelUpdate = Static<typeof ChannelUpdate>;

/** A setting in the row of the channel; models, groups and credentials have rows of their own. */
export type ChannelSetting = Exclude<
  keyof ChannelUpdate,
  'models' | 'groupIds' | keyof typeof CHANNEL_BRINGS
>;

export const CredentialView = closed({
  id: Id,
  /**
   * Distinguishes credentials: the last characters, or of a JSON file its account and the beginning
   * of its key's id.
   */
  hint: Type.String(),
  status: choice(['active', 'disabled']),
  createdAt: Instant,
});
export type CredentialView = Static<typeof CredentialView>;

export const CredentialCreate = closed({ secret: CredentialSecret });
export type CredentialCreate = Static<typeof CredentialCreate>;
export const CredentialUpdate = closed({ status: choice(['active', 'disabled']) });
export type CredentialUpdate = Static<typeof CredentialUpdate>;

/**
 * The state that the last outcomes imply. `unknown` until a gateway or a test has tried the
 * channel; `failing` while the latest request, or a later test, failed; `open` while it is not used
 * for that.
 */
export const CHANNEL_HEALTH = ['healthy', 'failing', 'open', 'half_open', 'unknown'] as const;

/** The latest failure of a channel since something last succeeded there. */
export const ChannelFailureView = closed({
  /** Failures without a success between them, a failed test included; counted up to 100. */
  inRow: Count,
  at: Instant,
  /** Null when there was no reply. */
  httpStatus: nullable(Type.Integer()),
  /** The upstream's words, or why it could not be reached. */
  message: Type.String(),
});
export type ChannelFailureView = Static<typeof ChannelFailureView>;

/** The result of a real, minimal request to the upstream. */
export const ChannelTestView = closed({
  id: Id,
  ok: Type.Boolean(),
  /** The upstream's name of the model that was asked. */
  upstreamName: Type.String(),
  latencyMs: Count,
  httpStatus: nullable(Type.Integer()),
  /** The beginning of the reply's text. */
  reply: nullable(Type.String()),
  /** The upstream's exact error, or why it could not be reached. */
  error: nullable(Type.String()),
  createdAt: Instant,
});
export type ChannelTestView = Static<typeof ChannelTestView>;

export const ChannelTestCreate = closed({
  /** One of the channel's models; the first when absent. */
  modelId: Type.Optional(Id),
  /** The credential to use; the first active one when absent. */
  credentialId: Type.Optional(Id),
});
export type ChannelTestCreate = Static<typeof ChannelTestCreate>;

export const ChannelView = closed({
  id: Id,
  name: Type.String(),
  kind: choice(CHANNEL_KINDS),
  baseUrl: Type.String(),
  ...CHANNEL_SETTINGS,
  credentials: Type.Array(CredentialView),
  health: closed({
    state: choice(CHANNEL_HEALTH),
    /** While open: when it will be tried again; null while it is silent and the last choice. */
    retryAt: nullable(Instant),
    /** Null when the latest outcome is a success, or there is none. */
    failure: nullable(ChannelFailureView),
    /**
     * Models that it is not asked for now: the upstream limits them (429), lacks them, or fails.
     * The other models are served.
     */
    limitedModels: Type.Array(
      closed({
        upstreamName: Type.String(),
        until: Instant,
        reason: choice(['limited', 'missing', 'failing']),
      }),
    ),
    lastTest: nullable(ChannelTestView),
  }),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ChannelView = Static<typeof ChannelView>;
export const ChannelList = listOf(ChannelView);
export type ChannelList = Static<typeof ChannelList>;

/** The upstream's own list of models, fetched now. */
export const UpstreamModelList = listOf(
  closed({
    upstreamName: Type.String(),
    /** A model of ours with this public ID. */
    modelId: nullable(Id),
  }),
);
export type UpstreamModelList = Static<typeof UpstreamModelList>;

// What is asked of an upstream before there is a channel for it.
// -----------------------------------------------------------------------------

const UPSTREAM_ACCESS = {
  /** Is used for this one request and not kept. */
  credential: Type.Optional(CredentialSecret),
  proxy: Type.Optional(CHANNEL_SETTINGS.proxy),
  allowPrivate: Type.Optional(CHANNEL_SETTINGS.allowPrivate),
};

export const UpstreamProbeCreate = closed({
  /**
   * The address as a person has it: without `https://`, or with the path of an endpoint at its end.
   */
  address: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  /** Found out when absent. */
  kind: Type.Optional(choice(UPSTREAM_KINDS)),
  ...UPSTREAM_ACCESS,
});
export type UpstreamProbeCreate = Static<typeof UpstreamProbeCreate>;

/** The findings about an upstream. */
export const UpstreamProbeView = closed({
  kind: choice(UPSTREAM_KINDS),
  /** The address in the form that a channel takes. */
  baseUrl: Type.String(),
  /** Null: what is usual for its kind. */
  protocols: CHANNEL_SETTINGS.protocols,
  /** False where the upstream has no list of models, which some have not. */
  listsModels: Type.Boolean(),
  models: UpstreamModelList.properties.data,
});
export type UpstreamProbeView = Static<typeof UpstreamProbeView>;

export const UpstreamTestCreate = closed({
  kind: choice(UPSTREAM_KINDS),
  baseUrl: BaseUrl,
  upstreamName: ChannelModel.properties.upstreamName,
  protocols: Type.Optional(CHANNEL_SETTINGS.protocols),
  outputLimitField: Type.Optional(CHANNEL_SETTINGS.outputLimitField),
  omittedFields: Type.Optional(CHANNEL_SETTINGS.omittedFields),
  ...UPSTREAM_ACCESS,
});
export type UpstreamTestCreate = Static<typeof UpstreamTestCreate>;

/** The results of a whole and a streamed request for a model of an upstream. */
export const UpstreamTestView = closed({
  ok: Type.Boolean(),
  upstreamName: Type.String(),
  latencyMs: Count,
  httpStatus: nullable(Type.Integer()),
  /** The beginning of the reply's text. */
  reply: nullable(Type.String()),
  /** The upstream's exact error, or why it could not be reached. */
  error: nullable(Type.String()),
  /** Null where nothing is streamed: a whole reply failed, or the model embeds. */
  streamed: nullable(closed({ ok: Type.Boolean(), latencyMs: Count })),
});
export type UpstreamTestView = Static<typeof UpstreamTestView>;
