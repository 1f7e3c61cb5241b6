import type { OutputLimitField } from '@weir/shared/catalog/channels';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkMessages } from '../wire/check-messages.ts';
import {
  checkBoolean,
  checkModel,
  checkNumber,
  checkOutputLimit,
  checkToolName,
  checkWhole,
} from '../../fields/field-checks.ts';
import { invalidValue, wrongCase, missing, wrongType } from '../../fields/field-faults.ts';
import { caseVariantOf } from '../../fields/field-names.ts';
import { checkFields, fieldRules } from '../../openai-family/check-fields.ts';
import {
  checkStreamOptions,
  readStreamOptions,
  type StreamOptions,
} from '../../openai-family/stream-options.ts';
import { askedTier } from '../../fields/tier-name.ts';
import type { AskedTier, RequestLimits } from '../../protocol.ts';

const NO_FIELDS: readonly never[] = [];

/** The fields of a chat-completions request that Weir acts on, checked and with their defaults. */
export interface ChatFields extends StreamOptions {
  readonly model: string;
  /** `max_completion_tokens`, else `max_tokens`, else null. */
  readonly maxOutputTokens: number | null;
  /** The names under which an output limit was sent, even as null. */
  readonly outputLimitFields: readonly OutputLimitField[];
  /** `n`. */
  readonly choices: number;
  readonly hasTools: boolean;
  readonly mediaParts: number;
  /** One of them may be as long as any prompt. */
  readonly hasUnboundedParts: boolean;
  /** A message has the role `developer`. */
  readonly hasDeveloper: boolean;
  /** Those sent that must not reach an upstream. */
  readonly withheldFields: readonly string[];
  readonly tier?: AskedTier | undefined;
}

/**
 * Checks what Weir acts on and leaves the rest to the upstream: clients add fields monthly, and a
 * field that is only passed on cannot be wrong here. Null stands for absent, as in the published
 * schema.
 */
export function checkChat(
  body: JsonObject,
  keys: readonly string[],
  limits: RequestLimits,
): ChatFields | Refusal {
  const withheldFields = checkFields({ value: body, keys }, RULES, limits);
  if (isRefusal(withheldFields)) return withheldFields;
  const { model, messages, n, tools, functions } = body;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (messages === undefined || messages === null) return missingMessages(body);
  const facts = checkMessages(messages);
  if (isRefusal(facts)) return facts;
  const { max_tokens: older, max_completion_tokens: newer } = body;
  const maxOutputTokens = newer ?? older;
  return {
    model,
    ...readStreamOptions(body),
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : null,
    outputLimitFields: sentLimitFields(older, newer),
    choices: typeof n === 'number' ? n : 1,
    hasTools: isFilled(tools) || isFilled(functions),
    mediaParts: facts.mediaParts,
    hasUnboundedParts: facts.hasUnboundedParts,
    hasDeveloper: facts.hasDeveloper,
    withheldFields,
    tier: askedTier('service_tier', body['service_tier']),
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

const RULES = fieldRules([
  ['model', checkModel],
  // Checked last, when the other fields show what a body without them was meant to be.
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
  ['functions', checkFunctions],
  ['function_call', checkFunctionCall],
  ['stop', checkStop],
  ['tool_choice', checkToolChoice],
  ['response_format', checkResponseFormat],
]);

function checkStop(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' || Array.isArray(value)
    ? undefined
    : wrongType(key, 'a string or an array of strings', value);
}

function checkToolChoice(key: string, value: unknown): Refusal | undefined {
  if (typeof value === 'string') return undefined;
  if (!isJsonObject(value)) return wrongType(key, 'a string or an object', value);
  const { type, function: fn, custom, name } = value;
  // Some servers take the name without the object around it, as Responses has it.
  if (isJsonObject(fn) || (type === 'function' && name === undefined)) {
    return checkToolName(isJsonObject(fn) ? fn['name'] : undefined, `${key}.function.name`);
  }
  if (isJsonObject(custom) || (type === 'custom' && name === undefined)) {
    return checkToolName(isJsonObject(custom) ? custom['name'] : undefined, `${key}.custom.name`);
  }
  return name === undefined ? undefined : checkToolName(name, `${key}.name`);
}

/** The form that the choice had before `tool_choice`. */
function checkFunctionCall(key: string, value: unknown): Refusal | undefined {
  return isJsonObject(value) ? checkToolName(value['name'], `${key}.name`) : undefined;
}

function checkResponseFormat(key: string, value: unknown): Refusal | undefined {
  return isJsonObject(value) ? undefined : wrongType(key, 'an object', value);
}

function checkObjects(key: string, value: unknown): Refusal | undefined {
  if (!Array.isArray(value)) return wrongType(key, 'an array', value);
  const fault = value.findIndex((tool) => !isJsonObject(tool));
  return fault === -1 ? undefined : wrongType(`${key}[${fault}]`, 'an object', value[fault]);
}

/** The form that tools had before `tools`. */
function checkFunctions(key: string, value: unknown): Refusal | undefined {
  const fault = checkObjects(key, value);
  if (fault !== undefined || !Array.isArray(value)) return fault;
  for (let index = 0; index < value.length; index += 1) {
    const defined: unknown = value[index];
    const name = isJsonObject(defined) ? defined['name'] : undefined;
    const wrong = checkToolName(name, `${key}[${index}].name`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
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

/**
 * Refuses tools that an upstream runs itself, such as a search: they have fees of their own, like
 * `WITHHELD_FIELDS`.
 */
function checkTool(tool: JsonObject, index: number): Refusal | undefined {
  for (const key in tool) {
    if (caseVariantOf(key, TOOL_FIELDS) !== undefined) return wrongCase(`tools[${index}].type`);
  }
  const { type } = tool;
  if (typeof type === 'string') {
    if (TOOL_TYPES.includes(type)) return checkNameOf(tool, index);
    return invalidValue(
      `tools[${index}].type`,
      `"tools[${index}].type" must be "function" or "custom". Tools that the upstream runs itself, such as searches, cost fees of their own and are not offered here.`,
    );
  }
  if (type !== undefined && type !== null) {
    return wrongType(`tools[${index}].type`, 'a string', type);
  }
  return isJsonObject(tool['function'])
    ? checkNameOf(tool, index)
    : missing(
        `tools[${index}].type`,
        `"tools[${index}]" has no type. Send "function" or "custom", and an object of that name.`,
      );
}

/** The name is within the object of the type; some servers take it next to the type instead. */
function checkNameOf(tool: JsonObject, index: number): Refusal | undefined {
  const { type, function: fn, custom, name } = tool;
  if (isJsonObject(fn)) return checkToolName(fn['name'], `tools[${index}].function.name`);
  if (isJsonObject(custom)) return checkToolName(custom['name'], `tools[${index}].custom.name`);
  return name === undefined
    ? checkToolName(name, `tools[${index}].${String(type)}.name`)
    : checkToolName(name, `tools[${index}].name`);
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/**
 * Other interfaces call it differently; the field that is there shows which one the client meant.
 */
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
