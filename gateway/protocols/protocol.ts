/**
 * The parts of a protocol: its upstream side, and the client side that most have on top. Each
 * protocol has a folder with the same files; `registry.ts` lists them. Nothing outside a
 * protocol's folder knows the names of its fields.
 */
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { FieldPolicy, OutputLimitField } from '@weir/shared/catalog/channels';
import type { MeterId } from '@weir/shared/prices/meters';
import type { ProtocolId, UpstreamProtocolId } from '@weir/shared/catalog/protocols';
import type { AskedUnits } from '../pricing/variants.ts';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';
import type { JsonObject } from '../platform/json/json-value.ts';
import type { StoredContent } from '../platform/multipart/form-file.ts';
import type { StoredBody } from '../platform/multipart/stored-body.ts';
import type { AskedFor, ReplyDialect } from './dialect.ts';
import type { Envelope } from './envelope.ts';
import type { Endpoint, Operation, StoredKind } from './endpoint.ts';
import type {
  EmbeddingForm,
  UpstreamEmbeddingForm,
} from './neutral-form/translations/embedding.ts';
import type { NeutralForm, UpstreamForm } from './neutral-form/neutral-form.ts';
import type { MadeImages } from './neutral-form/translations/made-images.ts';
import type { Restoration } from './neutral-form/fit/fitted-request.ts';
import type { Translation } from './neutral-form/translations/translation.ts';
import type { ParsedBody } from './fields/parsed-body.ts';
import type { UnknownFields } from './fields/unknown-fields.ts';
import type { ReplyIds, StoredReference, StoredReplies, StoredThings } from './stored-replies.ts';
import type { ToolReplies } from './tool-replies.ts';
import type { StreamReader } from './stream-reader.ts';
import type { TargetProfile } from './target-profile.ts';

export type { Operation, ProtocolId, StoredKind, UpstreamProtocolId };

/** The parts of a request's head that its protocol may read. */
export interface RequestHead {
  readonly endpoint: Endpoint;
  /** The model that the path names; null where the body does. */
  readonly pathModel: string | null;
  /** Without its "?"; '' when there is none. */
  readonly query: string;
  /** The headers that the protocol asks for, by lower-case name; '' when absent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The contents of a form that are not in the body, by the places in it where they belong. */
  readonly storedAt?: ReadonlyMap<number, StoredContent>;
}

/** Limits on what a request may ask for. All are compared before anything is sent or held. */
export interface RequestLimits {
  /** Levels of nesting in the body. */
  readonly jsonDepthMax: number;
  /** Choices (`n`) of one completion. */
  readonly choicesMax: number;
  /** Characters of a model ID. */
  readonly modelCharactersMax: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  // Tool schemas of real agents stay below 30 levels; recursive readers in upstreams give up near
  // 500.
  jsonDepthMax: 128,
  // The most OpenAI's chat completions accept.
  choicesMax: 128,
  // models.public_id holds at most 128.
  modelCharactersMax: 128,
};

/** A tier of processing that a client asks for, such as `priority`. */
export interface AskedTier {
  /** The field that asks for it, under the name that was sent. */
  readonly field: string;
  /** The tier's name in price lists. */
  readonly name: string;
  /** The field is a header. */
  readonly isHeader?: true;
}

/**
 * A request that passed every check: all that admission, routing, billing and the log may know of
 * it. Immutable; a protocol extends it with what its own codecs need.
 */
export interface ParsedRequest {
  /** The public ID of the model. */
  readonly model: string;
  readonly stream: boolean;
  /**
   * The limit that the client has named for each choice; null when it has named none. 0 where
   * nothing is generated: only the prompt is held for. Infinity where no limit can be imposed
   * either: all that the model can produce is held for.
   */
  readonly maxOutputTokens: number | null;
  /**
   * The limit is held for in slices as the reply grows, not in full: where the protocol makes
   * clients name one, it says little about the reply.
   */
  readonly heldInSlices: boolean;
  /**
   * The meters that the upstream may charge for apart from tokens, such as searches. The request is
   * refused unless the model has a price for each.
   */
  readonly meters: readonly MeterId[];
  /**
   * The meters of tools that the model can do without. These tools go to the upstream only if the
   * model has a price for them: agents offer some with every request.
   */
  readonly droppableMeters?: readonly MeterId[];
  /** Its charges where the model is priced by units; absent: it is charged for tokens alone. */
  readonly units?: AskedUnits | undefined;
  /** The form of its reply where that is not the protocol's; absent: it is. */
  readonly replyForm?: Partial<ReplyDialect>;
  /** Its upstream reports no tokens, and none are counted: it is charged per call at most. */
  readonly countsNoTokens?: boolean;
  /** The unknown fields of the request, which not every upstream gets; null or absent: none. */
  readonly unknownFields?: UnknownFields | null;
  /** Names of fields that no upstream gets. */
  readonly withheldFields?: readonly string[];
  /** The client asks for the cost of the request in the usage. */
  readonly reportsCost?: boolean;
  /**
   * Sent to the upstream only where the model has a price for it: served in the ordinary tier
   * otherwise.
   */
  readonly tier?: AskedTier | undefined;
  /**
   * Names the conversation, which stays at the credential that has served it; null when nothing
   * does.
   */
  readonly conversation: string | null;
  /** The upstream is asked to store the reply, so that a later request can refer to it. */
  readonly storesReply?: boolean;
  /** The stored objects that the request refers to; undefined or absent: none. */
  readonly refersTo?: readonly StoredReference[] | undefined;
  /** Replies that are asked for at once. */
  readonly choices: number;
  /** No prompt of this size has more tokens; Infinity where nothing in the request bounds it. */
  readonly promptTokensBound: number;
  /** The same for its text alone: always a number. */
  readonly textTokensBound: number;
  /** About as many tokens as the prompt has; clamp it to the model's context. */
  readonly promptTokensEstimate: number;
  /** Tokens of its prompt, where its bytes do not have all of it; absent: the bytes are counted. */
  readonly promptTokensCounted?: number;
  /** A part of it may be as long as any prompt: its tokens cannot be counted before it is sent. */
  readonly hasUnboundedParts: boolean;
  /** The body as it came. */
  readonly bytes: Buffer;
  /** The same as JSON, until the request is translated, or known to pass as it came. */
  readonly parsed?: ParsedBody | undefined;
}

/** The channel's form of requests, and the limits of this attempt. */
export interface Target {
  /** The upstream's name for the model. */
  readonly upstreamModel: string;
  /** The features that the model accepts at this upstream. */
  readonly profile: TargetProfile;
  /**
   * The name under which the upstream takes the output limit; null leaves the choice to the codec.
   */
  readonly outputLimitField: OutputLimitField | null;
  /** Fields of a request that the upstream refuses and is not sent. */
  readonly omittedFields: readonly string[];
  /** The request's envelope, where the upstream does not take its protocol's own form. */
  readonly envelope?: Envelope | undefined;
  /**
   * The most that the model can produce in one choice, for protocols that make clients name a
   * limit.
   */
  readonly outputTokensMax: number;
  /**
   * Output tokens for each choice to impose on the upstream; null when the client's own limit is in
   * force.
   */
  readonly outputTokensCap: number | null;
  /** The request's `droppableMeters` for which the model has a price. */
  readonly pricedMeters?: readonly MeterId[];
  /** The tier that the client asks for, where the model has a price for it. */
  readonly tier?: string | undefined;
  /**
   * The whole request is fitted to the profile, although the upstream speaks the client's protocol:
   * it has refused the request as it was.
   */
  readonly fitsWhole?: boolean;
  /**
   * Leave out what only the account that made it can verify: thinking with signatures, encrypted
   * reasoning.
   */
  readonly withoutProofs?: boolean;
  /**
   * The stored objects that the request continues; undefined if nothing is stored at this upstream.
   */
  readonly stored?: StoredThings | undefined;
  /** Memory for a body that differs from the client's. */
  readonly allocate: (bytes: number) => Buffer;
}

/** Finds the error of a vendor that reports it in a place of its own; undefined for none. */
export type FailureFinder = (reply: JsonObject) => JsonObject | undefined;

/** A whole reply, ready for the client. */
export interface Reply {
  readonly bytes: Buffer;
  /** Its media type; absent: JSON. */
  readonly contentType?: string;
  /** The upstream reported nothing in units, and what was measured instead may be off. */
  readonly isEstimate?: boolean;
  /** The upstream charges nothing for the reply, whatever usage it reports. */
  readonly isFree?: boolean;
  /** The usage that the upstream reported, null if none; `capUsage` makes it fit to be billed. */
  readonly usage: TokenCounts | null;
  /** The bytes with these counts as their usage, for a reply whose upstream reported none. */
  readonly withUsage: (counts: TokenCounts) => Buffer;
  /** All output, to count its tokens when the upstream reported none. */
  readonly deliveredText: () => string;
  /**
   * The upstream worked on the request and gives nothing of what was asked for, such as words in
   * place of an image. The client gets this error, and the usage is billed.
   */
  readonly refusal?: Refusal;
}

/** Converts a reply to its other form: some upstreams send the one that was not asked for. */
export interface ReplyForms {
  /** The stream that a whole reply would have been; undefined when it is none of the protocol. */
  toStream(body: Buffer): Buffer | undefined;
  /**
   * The whole reply that the bytes of a stream make up, or why they make none.
   * @param choices as many as were asked for
   */
  toWhole(stream: Buffer, choices: number, findFailure: FailureFinder): Buffer | UpstreamFailure;
}

/** A request as its upstream gets it. */
export interface Encoded {
  /** The client's own buffer when nothing has to differ. */
  readonly body: Buffer;
  /** All of a form of which `body` is only the part in memory; absent: `body` is all. */
  readonly storedBody?: StoredBody;
  /** Its media type; absent: JSON. */
  readonly contentType?: string;
  /** Fields that the target does not take and that were left out, as the client calls them. */
  readonly leftOut?: readonly string[];
  /** The changes that have to be undone in the reply. */
  readonly restoration?: Restoration | null;
  /** The upstream streams no such reply: it is asked for as a whole. */
  readonly asksWhole?: boolean;
  /**
   * Makes the client's stream of the whole reply that was asked for, when it has been billed;
   * absent: the relay makes it before.
   */
  readonly asStream?: (reply: Buffer) => Buffer | undefined;
  /** Reads the reply; absent: the codec that encoded the request. */
  readonly replyCodec?: Codec;
}

/** The channel's rules for what of a reply reaches the client. */
export interface ReplyTerms {
  /** The ids of the reply, where the channel stores it. */
  readonly ids?: ReplyIds | undefined;
  /** Absent: known fields alone. A reply that is translated has no others. */
  readonly fieldPolicy?: FieldPolicy;
  /** The restoration that the encoded request came with. */
  readonly restoration?: Restoration | null | undefined;
  /** The profile of the target that replies. */
  readonly profile?: TargetProfile;
}

/**
 * Brings requests to an upstream and its replies back. Resolved for a protocol and a provider once
 * per catalog snapshot.
 */
export interface Codec<Request extends ParsedRequest = ParsedRequest> {
  /** The protocol of the upstream. */
  readonly upstreamProtocol: UpstreamProtocolId;
  /** A refusal names what cannot be carried to this upstream. */
  encode(request: Request, target: Target): Encoded | Refusal;
  /** Reports whether fitting the request as a whole changes it; see `Target.fitsWhole`. */
  isChangedByFit?(request: Request, target: Target): boolean;
  /**
   * Reports whether thinking has to be switched off for the target, where a request's bytes pass.
   */
  mustNotThink?(request: Request, profile: TargetProfile): boolean;
  /** The two halves of `encode` where a request is translated; absent where its bytes pass. */
  readonly translation?: Translation;
  /** Names and values in turn of headers that go to the upstream with the request. */
  headers?(request: Request, target: Pick<Target, 'envelope'>): readonly string[];
  /** Reads a whole reply; undefined when it is none of the protocol. */
  decode(
    body: Buffer,
    request: Request,
    findFailure: FailureFinder,
    terms?: ReplyTerms,
  ): Reply | undefined;
  /** Opens the reader of a large reply that passes while it comes; undefined: it is read whole. */
  openLarge?(begin: Buffer, request: Request, terms?: ReplyTerms): StreamReader | undefined;
  /** The reply forms of the upstream's protocol. */
  readonly forms: ReplyForms;
  /** @param eventBytesMax the largest event; a reply that has a larger one cannot be passed on */
  openStream(
    request: Request,
    findFailure: FailureFinder,
    eventBytesMax?: number,
    terms?: ReplyTerms,
  ): StreamReader;
}

/**
 * Tokens of a request's prompt, never more than its bound. Slow: it runs on the worker pool, in
 * turns, between which the worker has time for others.
 * @param body the request's bytes, checked before
 */
export type CountPrompt = (model: string, body: Uint8Array) => Generator<undefined, number>;

/**
 * The upstream side of a protocol: requests are written in it and replies read. No client speaks it
 * unless it is a `Protocol`.
 */
export interface UpstreamProtocol {
  readonly id: UpstreamProtocolId;
  /** As messages name it, such as "chat completions". */
  readonly name: string;
  readonly forms: ReplyForms;
  /** Reads the images of a reply; absent of protocols whose models make none. */
  readonly readImages?: (body: Buffer) => MadeImages | undefined;
  /** Absent of protocols that do not generate. */
  readonly neutralForm?: UpstreamForm;
  /** Absent of protocols that do not embed. */
  readonly embedding?: UpstreamEmbeddingForm;
}

/** Returns the codec for an upstream that makes images, by the reader of its replies. */
export type Drawing<Request extends ParsedRequest = ParsedRequest> = (
  readReply: (body: Buffer) => MadeImages | undefined,
) => Codec<Request>;

/** A protocol that clients speak, and upstreams as well. */
export interface Protocol<Request extends ParsedRequest = ParsedRequest>
  extends ReplyDialect, UpstreamProtocol {
  readonly id: ProtocolId;
  readonly endpoints: readonly Endpoint[];
  /** The path of the base address that its clients use; absent: `/v1`. */
  readonly basePath?: string;
  /**
   * Says what a path of the vendor's interface is that no endpoint serves; undefined of others.
   * @param words the parts of the path behind the base address, in small letters
   */
  explainPath?(words: readonly string[]): string | undefined;
  /** Headers in which its clients send a key if not in Authorization. */
  readonly keyHeaders?: readonly string[];
  /** The beginning of the subprotocol in which browsers send a key to a WebSocket. */
  readonly keySubprotocol?: string;
  /** Other headers that its clients send from browsers, for preflights that name none. */
  readonly browserHeaders?: readonly string[];
  /** The place of the usage in replies, for clients that ask for a request's cost. */
  readonly usageMember: UsageMember;
  /** The dialect of a request whose replies have another form than the protocol's own. */
  dialectOf?(endpoint: Endpoint, asked: AskedFor): ReplyDialect;
  /** The protocol's name for the output limit, for messages. */
  readonly outputLimitName: string;
  /** Headers that `parse` looks at, in lower case; of lists all lines are joined. */
  readonly headers: readonly string[];
  readonly listHeaders?: readonly string[];
  parse(body: Buffer, head: RequestHead, limits: RequestLimits): Request | Refusal;
  /** The codec for upstreams that speak this very protocol. */
  readonly passThrough: Codec<Request>;
  /** The codecs for upstreams of other protocols that make images; absent: there are none. */
  readonly drawing?: Readonly<Partial<Record<UpstreamProtocolId, Drawing<Request>>>>;
  readonly neutralForm?: NeutralForm<Request>;
  readonly embedding?: EmbeddingForm<Request>;
  /** Absent where replies are never stored. */
  readonly stored?: StoredReplies;
  /** The count in the reply of an upstream's `count` endpoint; undefined when it has none. */
  readCount?(reply: JsonObject): number | undefined;
  /**
   * Reports whether a request on a path that several protocols share, such as the list of models or
   * an unknown one, comes from a client of this protocol.
   */
  sharesPath?(head: { readonly path: string; header(lowerCaseName: string): string }): boolean;
  /** Absent where no endpoint is for tools. */
  readonly toolReplies?: ToolReplies;
  /** The replies of `list` and `show` endpoints. */
  renderModels?(models: readonly ModelListEntry[]): object;
  renderModel?(model: ModelListEntry): object;
}

export interface UsageMember {
  readonly name: string;
  /** The member of a stream's last events that has it; absent: the events themselves. */
  readonly inEvent?: string;
}

/** A model as lists show it. */
export interface ModelListEntry {
  readonly publicId: string;
  readonly vendor: string;
  readonly createdAtSeconds: number;
  readonly contextTokensMax: number;
  readonly outputTokensMax: number;
}
