import type { OutputLimitField } from '@weir/shared/channels';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkModel } from '../../fields/check-model.ts';
import { checkMessages } from './check-messages.ts';
import { invalidValue, wrongCase, missing, wrongType } from '../../fields/field-faults.ts';
import { caseVariantOf } from '../../fields/field-names.ts';
import type { RequestLimits } from '../../protocol.ts';
import { WITHHELD_FIELDS } from './withheld-fields.ts';

const NO_FIELDS: readonly never[] = [];

/** The fields of a chat-completions request that Weir acts on, checked and with their defaults. */
export interface ChatFields {
  readonly model: string;
  readonly stream: boolean;
  /** The client asked for the usage chunk of a stream. */
  readonly includeUsage: boolean;
  /** `max_completion_tokens`, else `max_tokens`, else null. */
  readonly maxOutputTokens: number | null;
  /** The names under which an output limit was sent, be it null. */
  readonly outputLimitFields: readonly OutputLimitField[];
  /** As they were sent; null when absent. */
  readonly streamOptions: JsonObject | null;
  /** `n`. */
  readonly choices: number;
  readonly hasTools: boolean;
  readonly mediaParts: number;
  /** One of them may be as long as any prompt. */
  readonly hasUnboundedParts: boolean;
  /** Those sent that must not reach an upstream. */
  readonly withheldFields: readonly string[];
}

/**
 * Checks what Weir acts on and leaves the rest to the upstream: clients add fields monthly, and a field
 * that is only passed on cannot be wrong here. Null stands for absent, as in the published schema.
 */
export function checkChat(
  body: JsonObject,
  keys: readonly string[],
  limits: RequestLimits,
): ChatFields | Refusal {
  let withheldFields: string[] | undefined;
  for (const key of keys) {
    const value = body[key];
    const check = FIELD_CHECKS.get(key);
    let fault: Refusal | undefined;
    if (check !== undefined) fault = value === null ? undefined : check(key, value, limits);
    else if (WITHHELD_FIELDS.has(key)) (withheldFields ??= []).push(key);
    else fault = checkSpelling(key);
    if (fault !== undefined) return fault;
  }
  const { model, messages, stream, n, tools, functions } = body;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (messages === undefined || messages === null) return missingMessages(body);
  const facts = checkMessages(messages);
  if (isRefusal(facts)) return facts;
  const { stream_options: options, max_tokens: older, max_completion_tokens: newer } = body;
  const maxOutputTokens = newer ?? older;
  return {
    model,
    stream: stream === true,
    includeUsage: stream === true && isJsonObject(options) && options['include_usage'] === true,
    streamOptions: isJsonObject(options) ? options : null,
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : null,
    outputLimitFields: sentLimitFields(older, newer),
    choices: typeof n === 'number' ? n : 1,
    hasTools: isFilled(tools) || isFilled(functions),
    mediaParts: facts.mediaParts,
    hasUnboundedParts: facts.hasUnboundedParts,
    withheldFields: withheldFields ?? NO_FIELDS,
  };
}

/** The one whose value counts comes first. */
function sentLimitFields(older: unknown, newer: unknown): readonly OutputLimitField[] {
  if (newer === undefined) return older === undefined ? NO_FIELDS : ['max_tokens'];
  if (older === undefined) return ['max_completion_tokens'];
  return newer === null && older !== null
    ? ['max_tokens', 'max_completion_tokens']
    : ['max_completion_tokens', 'max_tokens'];
}

type FieldCheck = (key: string, value: unknown, limits: RequestLimits) => Refusal | undefined;

/** What is asked of a field's value, unless it is null. */
const FIELD_CHECKS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>([
  ['model', checkModel],
  // Checked last, when the other fields tell what a body without them was meant to be.
  ['messages', () => undefined],
  ['stream', checkBoolean],
  ['logprobs', checkBoolean],
  ['parallel_tool_calls', checkBoolean],
  ['stream_options', checkStreamOptions],
  ['n', (key, value, limits) => checkWhole(key, value, limits.choicesMax)],
  ['max_tokens', checkOutputLimit],
  ['max_completion_tokens', checkOutputLimit],
  ['temperature', checkNumber],
  ['top_p', checkNumber],
  ['presence_penalty', checkNumber],
  ['frequency_penalty', checkNumber],
  ['tools', checkTools],
  ['functions', checkObjects],
  ['stop', checkStop],
  ['tool_choice', checkToolChoice],
  ['response_format', checkResponseFormat],
]);

/** Fields that must not reach an upstream in another spelling. */
const GUARDED_FIELDS: ReadonlySet<string> = new Set([...FIELD_CHECKS.keys(), ...WITHHELD_FIELDS]);

function checkSpelling(key: string): Refusal | undefined {
  const field = caseVariantOf(key, GUARDED_FIELDS);
  return field === undefined ? undefined : wrongCase(field);
}

function checkBoolean(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'boolean' ? undefined : wrongType(key, 'true or false', value);
}

function checkNumber(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'number' ? undefined : wrongType(key, 'a number', value);
}

function checkStop(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' || Array.isArray(value)
    ? undefined
    : wrongType(key, 'a string or an array of strings', value);
}

function checkToolChoice(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' || isJsonObject(value)
    ? undefined
    : wrongType(key, 'a string or an object', value);
}

function checkResponseFormat(key: string, value: unknown): Refusal | undefined {
  return isJsonObject(value) ? undefined : wrongType(key, 'an object', value);
}

function checkOutputLimit(key: string, value: unknown): Refusal | undefined {
  return checkWhole(key, value, Number.MAX_SAFE_INTEGER);
}

const STREAM_OPTIONS: ReadonlySet<string> = new Set(['include_usage']);

function checkStreamOptions(key: string, value: unknown): Refusal | undefined {
  if (!isJsonObject(value)) return wrongType(key, 'an object', value);
  for (const option in value) {
    const known = caseVariantOf(option, STREAM_OPTIONS);
    if (known !== undefined) return wrongCase(`stream_options.${known}`);
  }
  const includeUsage = value['include_usage'];
  return includeUsage === undefined || includeUsage === null || typeof includeUsage === 'boolean'
    ? undefined
    : wrongType('stream_options.include_usage', 'true or false', includeUsage);
}

/** A whole number from 1 on; 1.0 is one too. */
function checkWhole(key: string, value: unknown, max: number): Refusal | undefined {
  if (typeof value !== 'number') return wrongType(key, 'a whole number', value);
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return undefined;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  return invalidValue(key, `"${key}" must be a whole number ${range}.`);
}

function checkObjects(key: string, value: unknown): Refusal | undefined {
  if (!Array.isArray(value)) return wrongType(key, 'an array', value);
  const fault = value.findIndex((tool) => !isJsonObject(tool));
  return fault === -1 ? undefined : wrongType(`${key}[${fault}]`, 'an object', value[fault]);
}

/** Tools that the client runs. */
export const TOOL_TYPES: readonly string[] = ['function', 'custom'];

function checkTools(key: string, value: unknown): Refusal | undefined {
  const fault = checkObjects(key, value);
  if (fault !== undefined || !Array.isArray(value)) return fault;
  for (let index = 0; index < value.length; index += 1) {
    const tool: unknown = value[index];
    const wrong = isJsonObject(tool) ? checkTool(tool, index) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(['type']);

/** What an upstream runs itself, such as a search, has a fee of its own, like what `WITHHELD_FIELDS` ask for. */
function checkTool(tool: JsonObject, index: number): Refusal | undefined {
  for (const key in tool) {
    if (caseVariantOf(key, TOOL_FIELDS) !== undefined) return wrongCase(`tools[${index}].type`);
  }
  const { type } = tool;
  if (typeof type === 'string') {
    if (TOOL_TYPES.includes(type)) return undefined;
    return invalidValue(
      `tools[${index}].type`,
      `"tools[${index}].type" must be "function" or "custom". Tools that the upstream runs itself, such as searches, cost fees of their own and are not offered here.`,
    );
  }
  if (type !== undefined && type !== null) {
    return wrongType(`tools[${index}].type`, 'a string', type);
  }
  return isJsonObject(tool['function'])
    ? undefined
    : missing(
        `tools[${index}].type`,
        `"tools[${index}]" has no type. Send "function" or "custom", and an object of that name.`,
      );
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** Other interfaces call it differently; the field that is there tells which one the client meant. */
function missingMessages(body: JsonObject): Refusal {
  const remedy = 'Send "messages": [{"role": "user", "content": "…"}].';
  if (body['input'] !== undefined) {
    return missing(
      'messages',
      `"messages" is missing and "input" is there: this is a Responses request on the chat-completions path. ${remedy}`,
    );
  }
  if (body['prompt'] !== undefined) {
    return missing(
      'messages',
      `"messages" is missing and "prompt" is there: this path serves chat completions. ${remedy}`,
    );
  }
  if (body['contents'] !== undefined) {
    return missing(
      'messages',
      `"messages" is missing and "contents" is there: this is a Gemini request on the chat-completions path. ${remedy}`,
    );
  }
  return missing('messages', `"messages" is missing. ${remedy}`);
}
