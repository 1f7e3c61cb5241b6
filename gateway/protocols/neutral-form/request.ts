/**
 * The neutral form of a request: what the generating protocols have in common, in the order of the
 * conversation. A protocol reads its requests into it and writes them from it, and knows no other
 * protocol. What one vendor alone can verify travels as a `Proof`.
 */
import type { JsonObject } from '../../platform/json/json-value.ts';
import type { Proof } from './proofs/proof.ts';

/** A hint that the prompt up to and including this part is worth caching. */
export interface CacheMark {
  /** The time for which the vendor is to keep it. */
  readonly ttl: '5m' | '1h';
}

interface Markable {
  readonly cache?: CacheMark;
}

/** A web page that a reply cites. The places are characters of the whole text of the reply. */
export interface UrlCitation {
  readonly url: string;
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

export interface TextPart extends Markable {
  readonly type: 'text';
  readonly text: string;
  /** Citations, of replies alone. */
  readonly citations?: readonly UrlCitation[];
  /** The proof of an assistant's text whose vendor signs it. */
  readonly proof?: Proof;
}

/** The source of an image's or a file's bytes. */
export type MediaSource =
  | { readonly base64: string; readonly mediaType: string }
  /** The type where the client has named it: no bytes say it here. */
  | { readonly url: string; readonly mediaType?: string };

export interface ImagePart extends Markable {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail?: 'low' | 'high' | 'auto' | 'original';
  /** The proof of an image that the model made and its vendor signs. */
  readonly proof?: Proof;
}

export interface AudioPart {
  readonly type: 'audio';
  readonly base64: string;
  /** The name of the format in chat completions: `wav`, `mp3` and the like. */
  readonly format: string;
}

/** A document: a PDF, or a text that is to be read as a file. */
export interface FilePart extends Markable {
  readonly type: 'file';
  readonly source: MediaSource | { readonly text: string };
  readonly name?: string;
}

/** The model's reasoning before its answer. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  /** Empty where the vendor keeps it to itself. */
  readonly text: string;
  readonly proof?: Proof;
}

export interface ToolCallPart extends Markable {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** JSON text of an object; of a free-form tool any text. */
  readonly input: string;
  /** A free-form (`custom`) tool. */
  readonly freeForm: boolean;
  readonly proof?: Proof;
}

export interface ToolResultPart extends Markable {
  readonly type: 'tool_result';
  /** The id of the call; the name of its tool where the protocol has it. */
  readonly callId: string;
  readonly name?: string;
  readonly content: readonly (TextPart | ImagePart | FilePart)[];
  readonly isError: boolean;
}

export type UserPart = TextPart | ImagePart | AudioPart | FilePart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | ImagePart;

/**
 * One message. System messages stay where they are. A `tool` message has the results of calls and
 * nothing else; a protocol whose user turns mix results and text is read as several messages.
 */
export type NeutralMessage =
  | { readonly role: 'system'; readonly parts: readonly TextPart[] }
  | { readonly role: 'user'; readonly parts: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly parts: readonly ToolResultPart[] };

/** A tool that the client runs. */
export interface NeutralTool extends Markable {
  readonly name: string;
  readonly description?: string;
  /** Its input as JSON Schema; null of a free-form tool. */
  readonly schema: JsonObject | null;
  readonly strict?: boolean;
  /** The grammar of a free-form tool: `{syntax, definition}`. */
  readonly grammar?: JsonObject;
}

export type ToolChoice =
  | { readonly mode: 'auto' | 'none' | 'required' }
  | { readonly mode: 'tool'; readonly name: string }
  /** Only some of the tools may be called. */
  | { readonly mode: 'auto' | 'required'; readonly among: readonly string[] };

/** The effort that the model is to spend on thinking. */
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type ReplyFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'json_schema';
      readonly name?: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
    };

/**
 * A field of a request, or what its parts and tools have: marks of what is worth caching, and that
 * a tool's arguments must match its schema.
 */
export type NeutralField = keyof NeutralRequest | 'cacheMarks' | 'strictTools';

/** Fields that a client did not send are undefined. */
export interface NeutralRequest {
  /** Fields of the client's request that have no place here, by the client's names. */
  readonly leftOut?: readonly string[];
  readonly stream: boolean;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[];
  readonly toolChoice?: ToolChoice | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  /** For each reply; the protocol's own default where the client named none. */
  readonly maxOutputTokens?: number | undefined;
  readonly choices: number;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly seed?: number | undefined;
  /** Log probabilities are asked for; how many alternatives of each token. */
  readonly logprobs?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly effort?: Effort | undefined;
  /** Tokens that the model may think, where the client counts them. */
  readonly reasoningTokensMax?: number | undefined;
  /** The client wants to see what the model thought. */
  readonly reasoningText?: boolean | undefined;
  readonly format?: ReplyFormat | undefined;
  readonly verbosity?: string | undefined;
  /** Identifies the end user to the vendor. */
  readonly userId?: string | undefined;
  /** Groups requests whose prompts begin alike. */
  readonly cacheKey?: string | undefined;
}
