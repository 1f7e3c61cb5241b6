import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { asksForCost } from '../../fields/asks-for-cost.ts';
import { checkModel } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongCase, wrongType } from '../../fields/field-faults.ts';
import { caseVariantOf } from '../../fields/field-names.ts';
import { askedTier } from '../../fields/tier-name.ts';
import type { AskedTier, Operation, RequestLimits } from '../../protocol.ts';
import type { StoredReference } from '../../stored-replies.ts';
import { CONVERSATION_FIELD, PREVIOUS_FIELD, stored } from '../stored.ts';
import { checkInput, type InputFacts } from '../wire/check-input.ts';
import { checkTools, type ToolFacts } from './check-tools.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';

const NO_FIELDS: readonly never[] = [];

/** The fields of a Responses request that Weir acts on, checked and with their defaults. */
export interface ResponsesFields extends Readonly<InputFacts>, ToolFacts {
  readonly model: string;
  readonly stream: boolean;
  readonly maxOutputTokens: number | null;
  readonly reportsCost: boolean;
  readonly storesReply: boolean;
  readonly refersTo: readonly StoredReference[] | undefined;
  /** `prompt_cache_key`; '' when absent. */
  readonly cacheKey: string;
  /** Those sent that must not reach an upstream. */
  readonly withheldFields: readonly string[];
  readonly tier?: AskedTier | undefined;
}

/**
 * Checks what Weir acts on and leaves the rest to the upstream: a field that is only passed on
 * cannot be wrong here. Null stands for absent, as in the published schema.
 */
export function checkResponses(
  { value: body, keys }: { readonly value: JsonObject; readonly keys: readonly string[] },
  { limits, operation }: { readonly limits: RequestLimits; readonly operation: Operation },
): ResponsesFields | Refusal {
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
  const { model, input, stream, max_output_tokens: limit } = body;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (operation === 'compact' && stream === true) return refuseCompactStream();
  const history = historyOf(body);
  if (isRefusal(history)) return history;
  const isMissing = input === undefined || input === null;
  if (isMissing && history.length === 0) return missingInput(body);
  const facts = checkInput(isMissing ? [] : input);
  if (isRefusal(facts)) return facts;
  const refersTo = [...history, ...facts.references];
  const [first] = refersTo;
  // The upstream's counter alone could count it.
  if (operation === 'count' && first?.optional === false) {
    return stored.refuseReference(first, 'unknown');
  }
  const tools = checkTools(body);
  if (isRefusal(tools)) return tools;
  return {
    ...facts,
    ...tools,
    model,
    stream: stream === true,
    maxOutputTokens: typeof limit === 'number' ? limit : null,
    storesReply: body['store'] !== false && operation === 'generate',
    refersTo: refersTo.length === 0 ? undefined : refersTo,
    cacheKey: stringOf(body['prompt_cache_key']),
    reportsCost: asksForCost(body),
    withheldFields: withheldFields ?? NO_FIELDS,
    tier: askedTier('service_tier', body['service_tier']),
  };
}

type FieldCheck = (key: string, value: unknown, limits: RequestLimits) => Refusal | undefined;

/** The checks of fields' values that are not null. */
const FIELD_CHECKS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>([
  ['model', checkModel],
  // Checked last, when the other fields show what a body without it was meant to be.
  ['input', () => undefined],
  // Checked together with the choice among them.
  ['tools', () => undefined],
  ['stream', checkBoolean],
  ['parallel_tool_calls', checkBoolean],
  ['max_output_tokens', checkOutputLimit],
  ['temperature', checkNumber],
  ['top_p', checkNumber],
  ['tool_choice', checkToolChoice],
  ['text', checkObject],
  ['reasoning', checkObject],
  ['previous_response_id', checkString],
  ['store', checkBoolean],
  ['conversation', checkConversation],
  ['prompt', refusePrompt],
  ['background', refuseBackground],
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

function checkString(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' ? undefined : wrongType(key, 'a string', value);
}

function checkObject(key: string, value: unknown): Refusal | undefined {
  return isJsonObject(value) ? undefined : wrongType(key, 'an object', value);
}

function checkToolChoice(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' || isJsonObject(value)
    ? undefined
    : wrongType(key, 'a string or an object', value);
}

function checkOutputLimit(key: string, value: unknown): Refusal | undefined {
  if (typeof value !== 'number') return wrongType(key, 'a whole number', value);
  if (Number.isSafeInteger(value) && value >= 1) return undefined;
  return invalidValue(key, `"${key}" must be a whole number of at least 1.`);
}

function checkConversation(key: string, value: unknown): Refusal | undefined {
  const id = isJsonObject(value) ? value['id'] : value;
  return typeof id === 'string' ? undefined : wrongType(key, 'the id of a conversation', value);
}

/** Returns the stored objects that the request continues, apart from its items. */
function historyOf(body: JsonObject): readonly StoredReference[] | Refusal {
  const { previous_response_id: previous, conversation } = body;
  const id = isJsonObject(conversation) ? conversation['id'] : conversation;
  const optional = false;
  if (typeof previous !== 'string') {
    if (typeof id !== 'string') return [];
    return [{ kind: 'conversation', clientId: id, param: CONVERSATION_FIELD, optional }];
  }
  if (typeof id !== 'string') {
    return [{ kind: 'reply', clientId: previous, param: PREVIOUS_FIELD, optional }];
  }
  return invalidValue(
    PREVIOUS_FIELD,
    'Send either "conversation" or "previous_response_id": a conversation has its earlier responses in it.',
  );
}

function refusePrompt(key: string): Refusal {
  return invalidValue(
    key,
    'Prompt templates are not served: they may choose another model and other tools than those that are paid for. Send their text in "instructions" and "input", and their tools in "tools".',
  );
}

function refuseBackground(key: string, value: unknown): Refusal | undefined {
  if (typeof value !== 'boolean') return wrongType(key, 'true or false', value);
  if (!value) return undefined;
  return invalidValue(
    key,
    'Responses are not made in the background: what one costs is known with its end alone. Send "stream": true instead of "background": true.',
  );
}

function refuseCompactStream(): Refusal {
  return invalidValue('stream', 'A compacted conversation comes whole: leave "stream" out.');
}

/**
 * Other interfaces call it differently; the field that is there shows which one the client meant.
 */
function missingInput(body: JsonObject): Refusal {
  const remedy = 'Send "input": "…" or "input": [{"role": "user", "content": "…"}].';
  if (body['messages'] === undefined) return missing('input', `"input" is missing. ${remedy}`);
  return missing(
    'input',
    `"input" is missing and "messages" is there: this is a request of chat completions on the Responses path. ${remedy}`,
  );
}
