/**
 * The capabilities of one model at one vendor, as data. Protocols say what can be written; a
 * profile says what this target accepts of it. `providers/profiles/` holds the data and chooses;
 * `neutral-form/fit/` applies it to requests.
 */
import type { OutputLimitField } from '@weir/shared/catalog/channels';
import type { Effort } from './neutral-form/request.ts';

/** The letters and the length that a name or an id must have. */
export interface NameRule {
  /** Letters inside a character class of a regular expression, such as `A-Za-z0-9_-`. */
  readonly letters: string;
  /** The same for the first letter; absent: no other rule. */
  readonly firstLetters?: string;
  readonly charactersMin?: number;
  readonly charactersMax: number;
}

/** The JSON schemas that a target takes in one place. */
export interface SchemaRules {
  /** The keywords that are accepted; null: any but `refused`. */
  readonly keywords: ReadonlySet<string> | null;
  /** Keywords that are refused, for targets that accept most. */
  readonly refused?: ReadonlySet<string>;
  /**
   * The treatment of a keyword that is not accepted: its meaning is put into the description, or it
   * is removed.
   */
  readonly otherKeywords: 'describe' | 'remove';
  /** Values of `format` that are accepted; null: all. */
  readonly formats: ReadonlySet<string> | null;
  /** Every object has `additionalProperties: false`. */
  readonly closedObjects: boolean;
  /** Every property is required; an optional one becomes nullable. */
  readonly allRequired: boolean;
  /** `inline`: `$ref` is replaced by what it refers to, as far as it is not recursive. */
  readonly refs: 'accepted' | 'inline';
  /**
   * Other keywords next to a `$ref`: accepted, accepted when the reference is an `anyOf` of one, or
   * what it refers to takes its place.
   */
  readonly refSiblings: 'accepted' | 'as_any_of' | 'inlined';
  /** `$ref: "#"` becomes a definition of its own; absent: accepted. */
  readonly rootRefs?: 'as_definition';
  /** Where `oneOf` is unknown, `anyOf` takes its place. */
  readonly oneOf: 'accepted' | 'as_any_of';
  /**
   * `type: ["string", "null"]`: accepted, as `anyOf`, or one type with `nullable: true` (the
   * OpenAPI form).
   */
  readonly typeLists: 'accepted' | 'as_any_of' | 'nullable';
  /** Every schema names its type, unless it is an `anyOf` or a `$ref`. */
  readonly typesRequired: boolean;
  /** `type` and what restricts values next to `anyOf`: accepted, or moved into its branches. */
  readonly besideAnyOf: 'accepted' | 'into_branches';
  /** `accepted` if the target takes `const`; otherwise an `enum` of one value replaces it. */
  readonly constant: 'accepted' | 'as_enum';
  /** The root may be `anyOf`, `oneOf`, `allOf` or a `$ref`; otherwise it is made one object. */
  readonly rootAlternatives: boolean;
  /** `enum` with other values than strings, or than strings and numbers; otherwise described. */
  readonly enumValues: 'any' | 'strings_or_numbers' | 'strings';
  /** `required` may name what is not among the properties of the same schema. */
  readonly undeclaredRequired: boolean;
  /** `pattern` may look ahead or behind. */
  readonly lookaround: boolean;
  /** The largest `minItems` that is accepted. */
  readonly minItemsMax: number;
  /** Levels of schemas in one another, with the root; absent: any number. */
  readonly depthMax?: number;
  /** The names that properties may have; absent: any. */
  readonly propertyName?: NameRule;
}

/** Limits on the schemas that a target compiles into a grammar (strict tools, formats). */
export interface StrictLimits {
  /** Strict tools in one request. */
  readonly toolsMax: number;
  /** Optional properties in all strict schemas of a request. */
  readonly optionalPropertiesMax: number;
  /** Properties with several types or `anyOf`, in all strict schemas of a request. */
  readonly unionPropertiesMax: number;
  readonly depthMax: number;
  readonly propertiesMax: number;
  readonly recursion: boolean;
}

/** The media that a target reads. Types are MIME types in lower case. */
export interface MediaRules {
  readonly imageTypes: ReadonlySet<string>;
  /** Images by address: all, or none. */
  readonly imageAddresses: boolean;
  /** Hosts whose https addresses the target reads although it fetches no others. */
  readonly addressHosts?: ReadonlySet<string>;
  /** PDF files as bytes, and by address. */
  readonly pdf: boolean;
  readonly pdfAddresses: boolean;
  /** Types of files that are read, other than texts and images; absent: any, if PDF is. */
  readonly fileTypes?: ReadonlySet<string>;
  readonly audio: boolean;
  /** Images in the results of tools; otherwise a user message behind the results has them. */
  readonly toolResultImages: boolean;
}

/** The required form of a conversation. */
export interface ConversationRules {
  /**
   * A last message of the assistant, which the model continues: accepted, accepted unless it ends
   * with white space, or refused.
   */
  readonly lastAssistant: 'accepted' | 'without_trailing_space' | 'refused';
  /** System messages anywhere, only as the first ones, or only one as the first. */
  readonly systemMessages: 'anywhere' | 'leading' | 'one_leading';
  /** The first message that is no system message must be of the user. */
  readonly startsWithUser: boolean;
  /** An assistant's message is required between results of tools and the next user message. */
  readonly assistantBehindResults: boolean;
  /** Messages of one role in a row are refused. */
  readonly strictAlternation: boolean;
  /** Reasoning of earlier turns: accepted, required with tool calls, or refused. */
  readonly reasoningText: 'accepted' | 'required' | 'refused';
}

/**
 * The capabilities of a target. Flat, so that rules of a protocol, a family and a vendor are laid
 * over one another: the later one wins member by member.
 */
export interface TargetProfile {
  /**
   * The model's family is known. Of others a request in the upstream's own protocol is passed on as
   * it is, since nothing in it is known to be refused.
   */
  readonly familyKnown: boolean;
  /** Members of a request's body that the vendor refuses whatever their value is. */
  readonly refusedFields: readonly string[];
  /**
   * The form in which the model is instructed to think: not at all, by an effort, by a budget of
   * tokens, or by `adaptive` thinking with an effort.
   */
  readonly thinking: 'none' | 'effort' | 'budget' | 'adaptive';
  /**
   * The words for efforts; `none` among them where thinking can be switched off. Where it is the
   * only one, any other effort is left out.
   */
  readonly efforts: readonly Effort[];
  /** Tokens of a budget, least and most. */
  readonly thinkingTokens: { readonly min: number; readonly max: number } | null;
  /** The model thinks unless thinking is switched off. */
  readonly thinksByDefault: boolean;
  /**
   * Efforts in a request with tools: any is accepted; only `none` may be named; or `none` has to be
   * named.
   */
  readonly effortWithTools: 'accepted' | 'default' | 'none';
  /**
   * The field of chat completions that takes the effort. `thinking`: `{type: "enabled"}` or
   * `"disabled"` alone; `thinking_with_effort`: that, and `reasoning_effort` unless it is disabled;
   * `enable_thinking`: true or false; `reasoning`: `{effort}`; `reasoning_enabled`:
   * `reasoning: {enabled}`.
   */
  readonly effortField:
    | 'reasoning_effort'
    | 'thinking'
    | 'thinking_with_effort'
    | 'enable_thinking'
    | 'reasoning'
    | 'reasoning_enabled';
  /** Responses: reasoning as encrypted content can be asked for (`include`). */
  readonly encryptedReasoning: boolean;

  /** `temperature`, `top_p`, penalties: accepted, only of a model that does not think, or not. */
  readonly sampling: 'accepted' | 'without_thinking' | 'refused';
  readonly temperature: { readonly min: number; readonly max: number };
  readonly topPMin: number;
  /** `temperature` and `top_p` cannot be named both. */
  readonly temperatureOrTopP: boolean;
  readonly topK: boolean;
  readonly penalties: boolean;
  readonly seed: 'any' | 'int32' | 'refused';
  /** Stop sequences that are accepted; further ones are Weir's to honour. */
  readonly stopSequencesMax: number;
  /** Stop sequences of nothing but white space are accepted. */
  readonly blankStopSequences: boolean;
  readonly verbosity: boolean;
  /**
   * The name of the output limit on chat completions; null: as the client has named it, and
   * `max_tokens` where it has not.
   */
  readonly outputLimitField: OutputLimitField | null;
  /** A smaller output limit is refused, and a larger one. */
  readonly outputTokensMin: number;
  readonly outputTokensMax: number;

  readonly cacheKey: boolean;
  /** Marks of what is worth caching: `cache_control`, `prompt_cache_breakpoint`. */
  readonly cacheBreakpoints: boolean;
  /**
   * Cache points of Converse: nowhere; in the prompt, but not among tools and behind documents; or
   * anywhere.
   */
  readonly cachePoints: 'none' | 'in_prompt' | 'anywhere';
  /** Cache points that last an hour. */
  readonly hourlyCache: boolean;
  /**
   * The input tokens that a stream reports include those of caches, though those of whole replies
   * do not.
   */
  readonly streamedInputHasCache: boolean;
  /** Converse hands Anthropic's own fields on to the model. */
  readonly anthropicFields: boolean;
  /**
   * The field of the model's own that takes the effort over Converse; null: none, or Anthropic's.
   * `reasoning`: `{effort}`; `reasoningConfig`: `{type, maxReasoningEffort}`.
   */
  readonly additionalEffortField:
    | 'reasoning_effort'
    | 'reasoning'
    | 'reasoning_config'
    | 'reasoningConfig'
    | null;
  /** Characters of the end user's id; 0: not accepted. */
  readonly userIdCharactersMax: number;
  /** Role `developer`; otherwise `system` takes its place. */
  readonly developerRole: boolean;

  readonly toolsMax: number;
  readonly toolName: NameRule;
  readonly callId: NameRule;
  /** Calls that come back must have the signature of the model (Gemini 3 and later). */
  readonly signedCalls: boolean;
  /**
   * A tool can be forced (`required`, or by name). `only_auto`: it cannot, and tools cannot be
   * forbidden (`none`) either.
   */
  readonly forcedTools: 'accepted' | 'without_thinking' | 'refused' | 'only_auto';
  /** Tools are accepted in streams; otherwise the reply is asked for as a whole. */
  readonly streamedTools: boolean;
  readonly parallelSwitch: boolean;
  /** Free-form (`custom`) tools. */
  readonly customTools: boolean;
  /** `allowed_tools`. */
  readonly allowedTools: boolean;
  /** `strict` on tools. */
  readonly strictTools: boolean;

  /** A JSON schema for the reply: as a format, or by a tool or a prompt that Weir adds. */
  readonly jsonSchema: 'format' | 'tool' | 'prompt';
  /**
   * Any JSON object as the format: accepted, accepted if the word JSON is in the conversation, or
   * by a prompt that Weir adds.
   */
  readonly jsonObject: 'format' | 'format_if_named' | 'prompt';
  /** A format is accepted alongside tools. */
  readonly formatWithTools: boolean;

  readonly toolSchema: SchemaRules;
  readonly strictSchema: SchemaRules;
  readonly formatSchema: SchemaRules;
  readonly strictLimits: StrictLimits;
  readonly media: MediaRules;
  /** Images that a model has made come back in its messages (`images` of chat completions). */
  readonly assistantImages: boolean;
  readonly conversation: ConversationRules;
  /** The arguments of earlier calls: any text, or JSON objects alone. */
  readonly callInputs: 'any' | 'objects';
}
