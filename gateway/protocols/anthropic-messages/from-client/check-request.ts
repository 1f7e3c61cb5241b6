import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { asksForCost } from '../../fields/asks-for-cost.ts';
import { checkModel } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongCase, wrongType } from '../../fields/field-faults.ts';
import { caseVariantOf } from '../../fields/field-names.ts';
import { askedTier } from '../../fields/tier-name.ts';
import type { AskedTier, Operation, RequestLimits } from '../../protocol.ts';
import { noteCacheMark } from './check-content.ts';
import { checkMessages } from './check-messages.ts';
import { checkToolChoice, checkTools } from './check-tools.ts';
import { noFacts, type RequestFacts } from './request-facts.ts';
import { prune } from '../../fields/shape.ts';
import { THINKING_FIELDS } from './known-fields.ts';
import { REFUSED_FIELDS, WITHHELD_FIELDS } from './withheld-fields.ts';

/** The fields of a Messages request that Weir acts on, checked. */
export interface MessagesFields {
  readonly model: string;
  readonly stream: boolean;
  /** Null where tokens are only counted. */
  readonly maxOutputTokens: number | null;
  readonly hasTools: boolean;
  readonly stopSequences: readonly unknown[];
  /** The field as it was sent; null when absent. */
  readonly thinking: JsonObject | null;
  /** Those sent that must not reach an upstream. */
  readonly withheldFields: readonly string[];
  readonly reportsCost: boolean;
  readonly tier?: AskedTier | undefined;
  readonly facts: Readonly<RequestFacts>;
}

/** Fields that must not reach an upstream in another spelling. */
const GUARDED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'tools',
  'thinking',
  ...WITHHELD_FIELDS,
  ...REFUSED_FIELDS.keys(),
]);

/**
 * Checks what Weir acts on and leaves the rest to the upstream: Anthropic's clients use betas that
 * no one else knows. Null stands for absent.
 */
export function checkRequest(
  body: JsonObject,
  keys: readonly string[],
  { limits, operation }: { readonly limits: RequestLimits; readonly operation: Operation },
): MessagesFields | Refusal {
  const withheldFields = checkNames(body, keys);
  if (!Array.isArray(withheldFields)) return withheldFields;
  const { model, stream, tools, thinking } = body;
  const facts = noFacts();
  const fault =
    checkModelField(model, limits) ??
    checkStream(stream) ??
    checkMaxTokens(body['max_tokens'], operation) ??
    checkMessages(body, facts) ??
    (tools === undefined || tools === null ? undefined : checkTools(tools, facts)) ??
    checkToolChoice(body['tool_choice']);
  if (fault !== undefined) return fault;
  noteCacheMark(body, facts);
  const { max_tokens: maxTokens, stop_sequences: stop } = body;
  return {
    model: String(model),
    stream: stream === true,
    maxOutputTokens: typeof maxTokens === 'number' ? maxTokens : null,
    hasTools: Array.isArray(tools) && tools.length > 0,
    stopSequences: Array.isArray(stop) ? stop : [],
    thinking: knownThinking(thinking),
    withheldFields,
    reportsCost: asksForCost(body),
    tier: askedTier('speed', body['speed']),
    facts,
  };
}

/** It is rewritten if its budget has to change, with known fields alone. */
function knownThinking(thinking: unknown): JsonObject | null {
  if (!isJsonObject(thinking)) return null;
  const known = prune(thinking, THINKING_FIELDS, '', new Set());
  return isJsonObject(known) ? known : null;
}

/** Returns the names of fields to withhold, or refuses what can be neither passed nor withheld. */
function checkNames(body: JsonObject, keys: readonly string[]): string[] | Refusal {
  const withheld: string[] = [];
  for (const key of keys) {
    if (WITHHELD_FIELDS.has(key)) withheld.push(key);
    else if (REFUSED_FIELDS.has(key)) {
      if (isAsked(body[key])) return invalidValue(key, REFUSED_FIELDS.get(key) ?? '');
      withheld.push(key);
    } else {
      const field = caseVariantOf(key, GUARDED_FIELDS);
      if (field !== undefined) return wrongCase(field);
    }
  }
  return withheld;
}

/** Null and an empty list ask for nothing. */
function isAsked(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

function checkModelField(model: unknown, limits: RequestLimits): Refusal | undefined {
  return model === undefined || model === null
    ? missing('model', '"model" is missing. Send the ID of a model from the price list.')
    : checkModel('model', model, limits);
}

function checkStream(stream: unknown): Refusal | undefined {
  return stream === undefined || stream === null || typeof stream === 'boolean'
    ? undefined
    : wrongType('stream', 'true or false', stream);
}

/** Zero only warms the cache. */
function checkMaxTokens(value: unknown, operation: Operation): Refusal | undefined {
  if (value === undefined || value === null) {
    return operation === 'count'
      ? undefined
      : missing('max_tokens', '"max_tokens" is missing. Send the most tokens of the reply.');
  }
  if (typeof value !== 'number') return wrongType('max_tokens', 'a whole number', value);
  return Number.isSafeInteger(value) && value >= 0
    ? undefined
    : invalidValue('max_tokens', '"max_tokens" must be a whole number of at least 0.');
}
