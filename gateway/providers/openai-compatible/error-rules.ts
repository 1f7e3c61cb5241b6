import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import { extractMessage } from '../error-message.ts';

/** What an error means, where its status says something else. */
export type ErrorMeaning =
  /** Our credential there, or our account. */
  | 'credential_fault'
  /** The model has no server there that can do all of what is asked. */
  | 'ability_missing'
  | 'input_flagged'
  /** Our account there has no access to the model, or not yet. */
  | 'no_access'
  /**
   * The request alone is more than our account there may use in a minute, or has credits for:
   * waiting changes nothing.
   */
  | 'over_account_limit'
  /** The model is not served on the path: on another one it may be. */
  | 'path_unserved'
  /** The request is at fault, and the upstream's words say how. */
  | 'request_fault'
  /** Our account there is not verified, which the model asks for a part of the request. */
  | 'unverified';

interface ErrorRule {
  readonly statuses: readonly number[];
  readonly means: ErrorMeaning;
  /** `error` is the body's error object. */
  matches(error: JsonObject): boolean;
}

/** How the texts of llama.cpp begin, also behind the names that LiteLLM puts before them. */
const LLAMA_REQUEST_FAULTS =
  /^(?:litellm\.\w+: )?(?:\w+Exception - )?(?:(?:image|audio|video) input is not supported|input (?:\(\d+ tokens\) )?is too large to process|Failed to parse (?:tools|messages|tool call arguments)|\[json\.exception\.|JSON schema conversion failed|Jinja Exception: |Unable to generate parser for this template)/i;

const CREDITS_LEFT =
  /^This request requires more credits, or fewer max_tokens\. You requested up to \d+ tokens, but can only afford (\d+)/;
/** An account whose credits cover less than this serves hardly any request. */
const ORDINARY_OUTPUT_TOKENS = 1_000;

/**
 * What well-known vendors answer with a status that blames the wrong side. Left to their statuses,
 * a wrong key of ours would be told to customers as their mistake, five flagged prompts would rest
 * a channel for everybody, and clients would try again for ever at an account that is empty.
 *
 * Each rule looks at a field that the vendor fills in, or is how its text begins: errors quote
 * prompts, and no prompt may put the blame on a channel.
 */
const RULES: readonly ErrorRule[] = [
  {
    // OpenAI, with `code: null`: "This is a chat model and not supported in the v1/completions
    // endpoint", "This model is only supported in v1/responses and not in v1/chat/completions".
    // github.com/openai/codex/issues/1242, github.com/langchain-ai/langchain/issues/26563
    statuses: [400, 403, 404],
    means: 'path_unserved',
    matches: ({ message }) =>
      beginsWith(message, 'This is ') || beginsWith(message, 'This model is ')
        ? /\b(?:not|only) supported in (?:the )?v1\//.test(String(message))
        : false,
  },
  {
    // OpenAI, to embeddings of a chat model and the like.
    statuses: [403],
    means: 'path_unserved',
    matches: ({ message }) => beginsWith(message, 'You are not allowed to '),
  },
  {
    // GitHub: router-for-me/CLIProxyAPIPlus#41.
    statuses: [400],
    means: 'path_unserved',
    matches: ({ code }) => code === 'unsupported_api_for_model',
  },
  {
    // Azure, for a deployment that is none for the path.
    statuses: [400],
    means: 'path_unserved',
    matches: ({ code }) => code === 'OperationNotSupported',
  },
  {
    // llama.cpp, which replies 500 to most mistakes: tools/server/server-common.cpp.
    statuses: [500],
    means: 'request_fault',
    matches: ({ message }) => LLAMA_REQUEST_FAULTS.test(String(message)),
  },
  {
    // llama.cpp, started without what the path needs: tools/server/server.cpp.
    statuses: [501],
    means: 'path_unserved',
    matches: ({ type }) => type === 'not_supported_error',
  },
  {
    // A mistake by its type, whatever the status: new-api, one-api.
    statuses: [500],
    means: 'request_fault',
    matches: ({ type }) => type === 'invalid_request_error',
  },
  {
    // Gemini's OpenAI endpoint, to a key that it does not know: google.rpc.ErrorInfo,
    // https://cloud.google.com/apis/design/errors#error_info; bodies in
    // github.com/continuedev/continue/issues/10290.
    statuses: [400],
    means: 'credential_fault',
    matches: ({ details }) =>
      Array.isArray(details) &&
      details.some((detail) => isJsonObject(detail) && detail['reason'] === 'API_KEY_INVALID'),
  },
  {
    // OpenAI, where the operator has not proven their identity: github.com/openai/openai-go#565,
    // github.com/danny-avila/LibreChat#7323, github.com/receptron/mulmocast-app#1090.
    statuses: [400, 403, 404],
    means: 'no_access',
    matches: ({ message }) =>
      beginsWith(message, 'Your organization must be verified to use the model'),
  },
  {
    // A subscription without the model: openai/codex#6603.
    statuses: [400, 403, 404],
    means: 'no_access',
    matches: (error) =>
      /^The '[^']{0,200}' model is not supported when using /.test(extractMessage(error) ?? ''),
  },
  {
    // OpenRouter, where the operator's settings allow no server: truefoundry/models#826.
    statuses: [404],
    means: 'no_access',
    matches: ({ message }) =>
      beginsWith(message, 'No endpoints found matching your ') ||
      beginsWith(message, 'No endpoints available matching your '),
  },
  {
    // The same model without a stream or a summary is served: github.com/lobehub/lobehub#9385,
    // github.com/charmbracelet/crush#422, github.com/continuedev/continue#9948.
    statuses: [400, 403],
    means: 'unverified',
    matches: ({ message }) => beginsWith(message, 'Your organization must be verified to '),
  },
  {
    // DeepSeek; no code tells it from a mistake in the request:
    // github.com/666ghj/BettaFish/issues/108.
    statuses: [400],
    means: 'input_flagged',
    matches: ({ message }) => message === 'Content Exists Risk',
  },
  {
    // OpenRouter, "your input was flagged": ModerationErrorMetadata in
    // https://openrouter.ai/docs/api-reference/errors.
    statuses: [403],
    means: 'input_flagged',
    matches: ({ metadata }) =>
      isJsonObject(metadata) && typeof metadata['flagged_input'] === 'string',
  },
  {
    // xAI, whose text goes on with the operator's team and key:
    // github.com/UKGovernmentBEIS/inspect_ai/pull/2267.
    statuses: [403],
    means: 'input_flagged',
    matches: ({ error }) => beginsWith(error, 'Content violates usage guidelines'),
  },
  {
    // OpenRouter: "No endpoints found that support tool use".
    statuses: [404],
    means: 'ability_missing',
    matches: ({ message }) => beginsWith(message, 'No endpoints found that'),
  },
  {
    // OpenAI, and Groq with a 413; their text goes on with the operator's organisation:
    // github.com/Aider-AI/aider/issues/1880.
    statuses: [413, 429],
    means: 'over_account_limit',
    matches: ({ code, message }) =>
      code === 'rate_limit_exceeded' && beginsWith(message, 'Request too large'),
  },
  {
    // OpenRouter, which serves smaller requests on: github.com/Gitlawb/openclaude#1125.
    statuses: [402],
    means: 'over_account_limit',
    matches: ({ message }) => {
      const [, tokens = '0'] = CREDITS_LEFT.exec(String(message)) ?? [];
      return Number(tokens) >= ORDINARY_OUTPUT_TOKENS;
    },
  },
];

/**
 * Returns what an error means where its body says so; undefined where only its status does.
 * @param error the body's error object
 */
export function errorMeaning(status: number, error: JsonObject): ErrorMeaning | undefined {
  return RULES.find((rule) => rule.statuses.includes(status) && rule.matches(error))?.means;
}

function beginsWith(value: unknown, words: string): boolean {
  return typeof value === 'string' && value.startsWith(words);
}
