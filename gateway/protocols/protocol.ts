/**
 * What a client protocol is made of. Each has a folder with the same files; `registry.ts` lists
 * them. Nothing outside a protocol's folder knows the names of its fields.
 */
import type { TokenCounts } from '@weir/shared/usage-record';
import type { FieldPolicy, OutputLimitField } from '@weir/shared/channels';
import type { MeterId } from '@weir/shared/meters';
import type { ProtocolId } from '@weir/shared/protocols';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';
import type { JsonObject } from '../platform/json/json-value.ts';
import type { EmbeddingForm } from './exchange-form/embedding.ts';
import type { ExchangeForm } from './exchange-form/exchange-form.ts';
import type { Strays } from './fields/strays.ts';
import type { BegunReply, StreamReader } from './stream-reader.ts';

export type { ProtocolId };

/**
 * What an endpoint does: it decides which channels can serve it and what is billed. `count` counts
 * a prompt's tokens and is free. `compact` shortens a conversation to what only its vendor reads.
 */
export type Operation = 'generate' | 'embed' | 'count' | 'compact';

/** A path on which a protocol is served, by POST. */
export interface Endpoint {
  /**
   * The path behind the base address `/v1`, such as `chat/completions`. `{model}` stands for the
   * model's ID, which may have slashes: `models/{model}:generateContent`.
   */
  readonly path: string;
  readonly operation: Operation;
  /** What is created there, for the message about a wrong method, such as "Chat completions". */
  readonly creates: string;
}

/** What of a request's head its protocol may look at. */
export interface RequestHead {
  readonly endpoint: Endpoint;
  /** The model that the path names; null where the body does. */
  readonly pathModel: string | null;
  /** Without its "?"; '' when there is none. */
  readonly query: string;
  /** Of those that the protocol asks for, by lower-case name; '' when absent. */
  readonly headers: Readonly<Record<string, string>>;
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
  /** As price lists name it. */
  readonly name: string;
}

/**
 * A request that passed every check: all that admission, routing, billing and the log may know of
 * it. Immutable; a protocol extends it with what its own codecs need. The parsed body is not kept:
 * it is several times as large as its bytes, and a long stream would hold it to its end.
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
   * What the upstream may charge for apart from tokens, such as searches. The request is refused
   * unless the model has a price for each.
   */
  readonly meters: readonly MeterId[];
  /**
   * What tools that the model can do without may be charged for. They go to the upstream only where
   * the model has a price for them: agents offer some with every request.
   */
  readonly droppableMeters?: readonly MeterId[];
  /**
   * What of its fields is not known, and so not sent to every upstream; null or absent: nothing.
   */
  readonly strays?: Strays | null;
  /** Names of fields that no upstream gets. */
  readonly withheldFields?: readonly string[];
  /** The client wants to be told in the usage what the request costs. */
  readonly tellsCost?: boolean;
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
  /** What the request refers to that is stored; undefined or absent: nothing. */
  readonly refersTo?: readonly StoredReference[] | undefined;
  /** Replies that are asked for at once. */
  readonly choices: number;
  /** No prompt of this size has more tokens; Infinity where nothing in the request bounds it. */
  readonly promptTokensBound: number;
  /** The same for its text alone: always a number. */
  readonly textTokensBound: number;
  /** About as many tokens as the prompt has; clamp it to the model's context. */
  readonly promptTokensEstimate: number;
  /** A part of it may be as long as any prompt: its tokens cannot be counted before it is sent. */
  readonly hasUnboundedParts: boolean;
  /** The body as it came. */
  readonly bytes: Buffer;
}

/** Something stored that a request refers to. */
export interface StoredReference {
  readonly kind: 'reply' | 'conversation' | 'item';
  /** As the client names it. */
  readonly clientId: string;
  /** The field that names it. */
  readonly param: string;
  /** The request is served without it where it is not stored. */
  readonly optional: boolean;
}

/** What a request goes on from at the upstream that has it. */
export interface StoredThings {
  /** The upstream's ids. */
  readonly reply?: string | undefined;
  readonly conversation?: string | undefined;
  /** Ids of items as the client names them. */
  readonly items: ReadonlySet<string>;
}

/** How a channel wants its requests, and what this attempt may spend. */
export interface Target {
  /** What the channel's upstream calls the model. */
  readonly upstreamModel: string;
  /**
   * The name under which the upstream takes the output limit; null leaves the choice to the codec.
   */
  readonly outputLimitField: OutputLimitField | null;
  /** Fields of a request that the upstream refuses and is not sent. */
  readonly omittedFields: readonly string[];
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
  /** Of the request's `droppableMeters`: those for which the model has a price. */
  readonly pricedMeters?: readonly MeterId[];
  /** The tier that the client asks for, where the model has a price for it. */
  readonly tier?: string | undefined;
  /**
   * Leave out what only the account that made it can verify: thinking with signatures, encrypted
   * reasoning.
   */
  readonly withoutProofs?: boolean;
  /** Of what the request goes on from; undefined: it goes to where nothing is stored for it. */
  readonly stored?: StoredThings | undefined;
  /** Memory for a body that differs from the client's. */
  readonly allocate: (bytes: number) => Buffer;
}

/**
 * Finds the error of a vendor that reports it in a place of its own; undefined when there is none.
 */
export type FailureFinder = (reply: JsonObject) => JsonObject | undefined;

/** A whole reply, ready for the client. */
export interface Reply {
  readonly bytes: Buffer;
  /** As the upstream reported it, null when it did not; `capUsage` makes it fit to be billed. */
  readonly usage: TokenCounts | null;
  /** The bytes with these counts as their usage, for a reply whose upstream reported none. */
  readonly withUsage: (counts: TokenCounts) => Buffer;
  /** All output, to count its tokens when the upstream reported none. */
  readonly deliveredText: () => string;
}

/** What one form of a reply is in the other: some upstreams send the one that was not asked for. */
export interface ReplyForms {
  /** The stream that a whole reply would have been; undefined when it is none of the protocol. */
  toStream(body: Buffer): Buffer | undefined;
  /**
   * The whole reply that the bytes of a stream make up, or why they make none.
   * @param choices as many as were asked for
   */
  toWhole(stream: Buffer, choices: number, findFailure: FailureFinder): Buffer | UpstreamFailure;
}

/** How a protocol's clients use what an upstream stores. */
export interface StoredReplies {
  /** Refuses a reference: it is unknown, or what stores it is not used any more. */
  refuseReference(reference: StoredReference, why: 'unknown' | 'gone'): Refusal;
  /** Refuses to show what is not there, for whatever reason. */
  refuseUnknown(kind: 'reply' | 'conversation', clientId: string): Refusal;
  /** Refuses to make a conversation where no upstream stores any. */
  refuseConversations(): Refusal;
  /**
   * What an upstream says of a stored reply, under the names that the client knows; undefined when
   * it is no JSON object.
   */
  rename(body: Buffer, names: StoredNames): Buffer | undefined;
  /** The same of a conversation, or of its items. */
  renameConversation(body: Buffer, ids: ReplyIds, fieldPolicy: FieldPolicy): Buffer | undefined;
  /** The body that makes or changes a conversation, or adds items to it, as an upstream gets it. */
  encodeConversation(body: Buffer, limits: RequestLimits): Buffer | Refusal;
}

/** What a stored reply is called towards the client. */
export interface StoredNames {
  readonly clientId: string;
  readonly publicModel: string;
  /** Of the reply before it. */
  readonly ids: ReplyIds;
  /** The channel's. */
  readonly fieldPolicy: FieldPolicy;
}

/** What a channel stores has names here: the upstream's ids are its own. */
export interface ReplyIds {
  /** The id under which the client, and no other account, can refer to a reply again. */
  clientId(upstreamId: string): string;
  readonly conversationId: (upstreamId: string) => string;
  itemId(upstreamId: string): string;
  /** As the client has named the reply before this one. */
  readonly previousId?: string | undefined;
}

/** What of a reply reaches the client, by the settings of its channel. */
export interface ReplyTerms {
  /** Where the channel stores the reply. */
  readonly ids?: ReplyIds | undefined;
  /** Absent: known fields alone. A reply that is translated has no others. */
  readonly fieldPolicy?: FieldPolicy;
}

/**
 * Brings requests to an upstream and its replies back. Resolved for a protocol and a provider once
 * per catalog snapshot.
 */
export interface Codec<Request extends ParsedRequest = ParsedRequest> {
  /** What the upstream is spoken to in. */
  readonly upstreamProtocol: ProtocolId;
  /**
   * The body for the upstream: the client's own buffer when nothing has to differ. A refusal names
   * what cannot be carried to this upstream.
   */
  encode(request: Request, target: Target): Buffer | Refusal;
  /** Names and values in turn of headers that go to the upstream with the request. */
  headers?(request: Request): readonly string[];
  /** Reads a whole reply; undefined when it is none of the protocol. */
  decode(
    body: Buffer,
    request: Request,
    findFailure: FailureFinder,
    terms?: ReplyTerms,
  ): Reply | undefined;
  /** Of the upstream's protocol. */
  readonly forms: ReplyForms;
  /** @param eventBytesMax the largest event; a reply that has a larger one cannot be passed on */
  openStream(
    request: Request,
    findFailure: FailureFinder,
    eventBytesMax?: number,
    terms?: ReplyTerms,
  ): StreamReader;
}

/** An error as it is sent. */
export interface RenderedError {
  readonly status: number;
  /**
   * JSON in UTF-8, always with content type application/json: an HTML error reads as an empty reply
   * in SDKs.
   */
  readonly bytes: Buffer;
  /**
   * False: send `x-should-retry: false`, which official SDKs obey before they look at the status.
   */
  readonly shouldRetry: boolean;
  /** More headers, such as the vendor's own. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** How a protocol's clients are told of errors. */
export interface ErrorDialect {
  /** A refusal in the shape that the protocol's clients expect. */
  renderError(refusal: Refusal, requestId?: string): RenderedError;
  /**
   * A refusal as the last event of a stream that has begun.
   * @param begun what `beginReply` has begun, if the client has got it
   */
  renderErrorEvent(refusal: Refusal, requestId?: string, begun?: BegunReply | null): string;
}

/** The form of replies around what the model says. */
export interface ReplyDialect extends ErrorDialect {
  /** Bytes that keep a stream alive and mean nothing to the protocol's clients. */
  readonly keepAlive: string;
  /**
   * Begins a reply before there is any content, for clients that count nothing but events of the
   * protocol; absent: `keepAlive` is enough.
   */
  beginReply?(publicModel: string): BegunReply;
  /** The content type of streams that are no server-sent events. */
  readonly streamContentType?: string;
  /** The header that carries the request id, beside `x-request-id`. */
  readonly requestIdHeader?: string;
}

/** What of a request's head decides about the form of its replies. */
export interface AskedFor {
  /** Without its "?"; '' when there is none. */
  query(): string;
  /** '' when absent. */
  header(lowerCaseName: string): string;
}

/**
 * Tokens of a request's prompt, never more than its bound. Slow: it runs on the worker pool, in
 * turns, between which the worker has time for others.
 * @param body the request's bytes, checked before
 */
export type CountPrompt = (model: string, body: Uint8Array) => Generator<undefined, number>;

export interface Protocol<Request extends ParsedRequest = ParsedRequest> extends ReplyDialect {
  readonly id: ProtocolId;
  readonly endpoints: readonly Endpoint[];
  /** The dialect of a request whose replies have another form than the protocol's own. */
  dialectOf?(endpoint: Endpoint, asked: AskedFor): ReplyDialect;
  /** What the protocol calls the output limit, for messages that name it. */
  readonly outputLimitName: string;
  /** Headers that `parse` looks at, in lower case; of lists all lines are joined. */
  readonly headers: readonly string[];
  readonly listHeaders?: readonly string[];
  parse(body: Buffer, head: RequestHead, limits: RequestLimits): Request | Refusal;
  /** The codec for upstreams that speak this very protocol. */
  readonly passThrough: Codec<Request>;
  /** To and from the neutral form; absent of protocols that do not generate. */
  readonly exchange?: ExchangeForm<Request>;
  /** The same for embeddings; absent of protocols that do not embed. */
  readonly embedding?: EmbeddingForm<Request>;
  /** Absent where replies are never stored. */
  readonly stored?: StoredReplies;
  /** The reply of a `count` endpoint. */
  renderCount?(inputTokens: number): object;
  /** The count in the reply of an upstream's `count` endpoint; undefined when it has none. */
  readCount?(reply: JsonObject): number | undefined;
  /**
   * Whether a request on a path that several protocols share, such as the list of models or an
   * unknown one, comes from a client of this protocol.
   */
  sharesPath?(head: { readonly path: string; header(lowerCaseName: string): string }): boolean;
  /** The list of models in the protocol's shape; absent: OpenAI's. */
  renderModels?(models: readonly ListedModel[]): object;
  renderModel?(model: ListedModel): object;
}

/** A model as lists show it. */
export interface ListedModel {
  readonly publicId: string;
  readonly vendor: string;
  readonly createdAtSeconds: number;
  readonly contextTokensMax: number;
  readonly outputTokensMax: number;
}
