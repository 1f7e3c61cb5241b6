import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { estimatePromptTokens } from '../../../tokens/prompt-estimate.ts';
import { checkModel, checkWhole } from '../../fields/field-checks.ts';
import { invalidValue, missing } from '../../fields/field-faults.ts';
import { fieldRules, readFields } from '../../openai-family/check-fields.ts';
import { readStreamOptions, type StreamOptions } from '../../openai-family/stream-options.ts';
import {
  checkTokenInput,
  inputTokensBound,
  readTokenInput,
} from '../../openai-family/token-input.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { EMBEDDING_FIELDS } from '../../openai-family/known-fields.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';

/** An embeddings request that passed every check, with the places of its members in the bytes. */
export interface EmbeddingsRequest extends ParsedRequest, StreamOptions {
  readonly reportsCost: boolean;
  readonly members: MemberSpans;
  readonly withheldFields: readonly string[];
  /** Vectors are asked for as base64 of little-endian floats, which SDKs do by themselves. */
  readonly base64: boolean;
  /** Number of inputs, each of which gets a vector. */
  readonly inputs: number;
}

/**
 * Fields that are found in the bytes by their plain name, because Weir may replace or withhold
 * them.
 */
const REPLACED_FIELDS: ReadonlySet<string> = new Set(['model', ...WITHHELD_FIELDS]);

const RULES = fieldRules([
  ['model', checkModel],
  ['input', checkTokenInput],
  ['encoding_format', checkEncoding],
  ['dimensions', checkDimensions],
  ['stream', refuseStream],
]);

const NO_METERS: readonly never[] = [];
/** Nothing is generated, and so nothing is held for it. */
const NO_OUTPUT = 0;

export function parseRequest(
  body: Buffer,
  _head: RequestHead,
  limits: RequestLimits,
): EmbeddingsRequest | Refusal {
  const read = readFields(body, { rules: RULES, replaced: REPLACED_FIELDS }, limits);
  if (isRefusal(read)) return read;
  const { bytes, members, value, withheldFields } = read;
  const { model, input } = value;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (input === undefined || input === null) {
    return missingInput(value);
  }
  const promptTokensBound = inputTokensBound(bytes.length);
  const content = { bodyBytes: bytes.length, mediaParts: 0, mediaBytes: 0 };
  return {
    model,
    ...readStreamOptions(value),
    maxOutputTokens: NO_OUTPUT,
    heldInSlices: false,
    meters: NO_METERS,
    unknownFields: findUnknownFields(value, read.keys, {
      shapes: EMBEDDING_FIELDS,
      withheld: withheldFields,
    }),
    conversation: null,
    choices: 1,
    promptTokensBound,
    textTokensBound: promptTokensBound,
    promptTokensEstimate: estimatePromptTokens(content),
    hasUnboundedParts: false,
    base64: value['encoding_format'] === 'base64',
    inputs: readTokenInput(input).items,
    withheldFields,
    bytes,
    parsed: new ParsedBody(value),
    members,
  };
}

function missingInput(body: JsonObject): Refusal {
  const remedy = 'Send the text, or an array of texts, as "input".';
  return missing(
    'input',
    body['prompt'] === undefined
      ? `"input" is missing. ${remedy}`
      : `"input" is missing and "prompt" is there, as in Ollama’s interface. ${remedy}`,
  );
}

function checkEncoding(key: string, value: unknown): Refusal | undefined {
  return value === 'float' || value === 'base64'
    ? undefined
    : invalidValue(key, `"${key}" must be "float" or "base64".`);
}

function checkDimensions(key: string, value: unknown): Refusal | undefined {
  return checkWhole(key, value, Number.MAX_SAFE_INTEGER);
}

function refuseStream(key: string, value: unknown): Refusal | undefined {
  return value === false
    ? undefined
    : invalidValue(key, 'Embeddings are not streamed. Leave "stream" out.');
}
