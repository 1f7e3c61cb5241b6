import { isJsonObject, type JsonObject } from '../json/json-value.ts';

/** Whose fault an error is, where its status says the opposite. */
interface ErrorSign {
  readonly status: number;
  readonly atFault: 'channel' | 'client';
  /** `error` is the body's error object. */
  matches(error: JsonObject): boolean;
}

/**
 * What well-known vendors answer with a status that blames the wrong side. Left to their statuses, a wrong key of ours
 * would be told to customers as their mistake, and five flagged prompts would rest a channel for everybody.
 *
 * Each sign is in a field that the vendor fills in, or is how its text begins: errors quote prompts, and nobody may put
 * the blame on a channel by what he writes.
 */
const SIGNS: readonly ErrorSign[] = [
  {
    // Gemini's OpenAI endpoint, to a key that it does not know: google.rpc.ErrorInfo,
    // https://cloud.google.com/apis/design/errors#error_info; bodies in github.com/continuedev/continue/issues/10290.
    status: 400,
    atFault: 'channel',
    matches: ({ details }) =>
      Array.isArray(details) &&
      details.some((detail) => isJsonObject(detail) && detail['reason'] === 'API_KEY_INVALID'),
  },
  {
    // Anthropic, when our account there is empty: github.com/anthropics/claude-code/issues/4684.
    status: 400,
    atFault: 'channel',
    matches: ({ message }) => beginsWith(message, 'Your credit balance is too low'),
  },
  {
    // OpenRouter, "your input was flagged": ModerationErrorMetadata in https://openrouter.ai/docs/api-reference/errors.
    status: 403,
    atFault: 'client',
    matches: ({ metadata }) =>
      isJsonObject(metadata) && typeof metadata['flagged_input'] === 'string',
  },
  {
    // xAI, whose text goes on with the operator's team and key: github.com/UKGovernmentBEIS/inspect_ai/pull/2267.
    status: 403,
    atFault: 'client',
    matches: ({ error }) => beginsWith(error, 'Content violates usage guidelines'),
  },
];

/** Whose fault this error is when its body tells; undefined when only the status does. */
export function faultOf(status: number, error: JsonObject): ErrorSign['atFault'] | undefined {
  return SIGNS.find((sign) => sign.status === status && sign.matches(error))?.atFault;
}

function beginsWith(value: unknown, words: string): boolean {
  return typeof value === 'string' && value.startsWith(words);
}
