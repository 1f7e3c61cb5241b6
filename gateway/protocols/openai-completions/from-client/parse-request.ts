import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { estimatePromptTokens } from '../../../tokens/prompt-estimate.ts';
import { checkBoolean, checkModel, checkNumber, checkWhole } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { fieldRules, readFields } from '../../openai-family/check-fields.ts';
import {
  checkStreamOptions,
  readStreamOptions,
  type StreamOptions,
} from '../../openai-family/stream-options.ts';
import {
  checkTokenInput,
  inputTokensBound,
  readTokenInput,
  type TokenInput,
} from '../../openai-family/token-input.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { COMPLETION_FIELDS } from '../../openai-family/known-fields.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';

/** A completions request that passed every check, with the places of its members in the bytes. */
export interface CompletionRequest extends ParsedRequest, StreamOptions {
  readonly reportsCost: boolean;
  readonly maxOutputTokens: number;
  readonly members: MemberSpans;
  readonly withheldFields: readonly string[];
  /** The client has named `max_tokens`. */
  readonly namesLimit: boolean;
  /** Completions of each prompt in the reply. */
  readonly completionsOfEach: number;
  /** Prompts whose text comes back before each completion; none where it does not. */
  readonly echoed: readonly string[];
  /** Completions in the reply, of all prompts. */
  readonly completions: number;
}

/** OpenAI's default of `max_tokens`. It is sent, so that every upstream applies it. */
export const OUTPUT_TOKENS_DEFAULT = 16;

/** Completions that one request may make, over all of its prompts. */
const COMPLETIONS_MAX = 2_048;

/**
 * Fields that are found in the bytes by their plain name, because Weir may replace or withhold
 * them.
 */
const REPLACED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream_options',
  'max_tokens',
  ...WITHHELD_FIELDS,
]);

const RULES = fieldRules([
  ['model', checkModel],
  ['prompt', checkTokenInput],
  ['stream', checkBoolean],
  ['stream_options', checkStreamOptions],
  ['echo', checkBoolean],
  ['suffix', checkSuffix],
  ['n', checkChoices],
  ['best_of', checkChoices],
  ['max_tokens', checkLimit],
  ['max_completion_tokens', refuseNewerLimit],
  ['temperature', checkNumber],
  ['top_p', checkNumber],
  ['presence_penalty', checkNumber],
  ['frequency_penalty', checkNumber],
]);

const NO_METERS: readonly never[] = [];
const NO_TEXTS: readonly never[] = [];

export function parseRequest(
  body: Buffer,
  _head: RequestHead,
  limits: RequestLimits,
): CompletionRequest | Refusal {
  const read = readFields(body, { rules: RULES, replaced: REPLACED_FIELDS }, limits);
  if (isRefusal(read)) return read;
  const { bytes, members, value, withheldFields } = read;
  const { model, prompt, max_tokens: limit } = value;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (prompt === undefined || prompt === null) return missingPrompt(value);
  const input = readTokenInput(prompt);
  const counts = countCompletions(value, input);
  if (isRefusal(counts)) return counts;
  const promptTokensBound = inputTokensBound(bytes.length);
  const content = { bodyBytes: bytes.length, mediaParts: 0, mediaBytes: 0 };
  return {
    model,
    ...readStreamOptions(value),
    ...counts,
    maxOutputTokens: typeof limit === 'number' ? limit : OUTPUT_TOKENS_DEFAULT,
    namesLimit: typeof limit === 'number',
    echoed: value['echo'] === true ? input.texts : NO_TEXTS,
    withheldFields,
    heldInSlices: false,
    meters: NO_METERS,
    unknownFields: findUnknownFields(value, read.keys, {
      shapes: COMPLETION_FIELDS,
      withheld: withheldFields,
    }),
    conversation: null,
    promptTokensBound,
    textTokensBound: promptTokensBound,
    promptTokensEstimate: estimatePromptTokens(content),
    hasUnboundedParts: false,
    bytes,
    members,
  };
}

/**
 * The prompt that comes back before a completion; null where nothing but the prompt comes back. It
 * is not what the model has made.
 */
export function echoOf(
  { echoed, completionsOfEach, maxOutputTokens }: CompletionRequest,
  index: number,
): string | null {
  if (maxOutputTokens === 0) return null;
  return echoed[Math.floor(index / completionsOfEach)] ?? '';
}

type Counts = Pick<CompletionRequest, 'choices' | 'completions' | 'completionsOfEach'>;

/**
 * An upstream makes `best_of` completions of each prompt and charges for all, and sends back `n`.
 */
function countCompletions(
  { n, best_of: bestOf }: JsonObject,
  { items }: TokenInput,
): Counts | Refusal {
  const completionsOfEach = typeof n === 'number' ? n : 1;
  const made = Math.max(completionsOfEach, typeof bestOf === 'number' ? bestOf : 1);
  if (items * made > COMPLETIONS_MAX) {
    return invalidValue(
      'prompt',
      `The request asks for ${items * made} completions, and may ask for ${COMPLETIONS_MAX}. Send fewer prompts at once.`,
    );
  }
  return { choices: items * made, completions: items * completionsOfEach, completionsOfEach };
}

function checkChoices(key: string, value: unknown, limits: RequestLimits): Refusal | undefined {
  return checkWhole(key, value, limits.choicesMax);
}

/** None at all is asked for by those who want the log probabilities of their prompt. */
function checkLimit(key: string, value: unknown): Refusal | undefined {
  return value === 0 ? undefined : checkWhole(key, value, Number.MAX_SAFE_INTEGER);
}

function refuseNewerLimit(key: string): Refusal {
  return invalidValue(key, `"${key}" is a field of chat completions. Send "max_tokens" here.`);
}

function checkSuffix(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' ? undefined : wrongType(key, 'a string', value);
}

function missingPrompt(body: JsonObject): Refusal {
  return missing(
    'prompt',
    body['messages'] === undefined
      ? '"prompt" is missing. Send the text that is to be continued.'
      : '"prompt" is missing and "messages" is there: this is a chat request on the path of completions. Send it to /v1/chat/completions.',
  );
}
