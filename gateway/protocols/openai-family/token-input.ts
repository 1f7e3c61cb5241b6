import type { Refusal } from '../../platform/errors/refusal.ts';
import { jsonTypeName } from '../../platform/json/json-value.ts';
import { encoderFor } from '../../tokens/encoders.ts';
import { readPromptBody } from '../../tokens/prompt-counter.ts';
import { promptTokensUpperBound } from '../../tokens/prompt-upper-bound.ts';
import { countTexts } from '../../tokens/text-counter.ts';
import { invalidValue, wrongType } from '../fields/field-faults.ts';

/** Text or tokens, one or several of them: what completions and embeddings take. */
export interface TokenInput {
  /** Empty where tokens were sent. */
  readonly texts: readonly string[];
  /** Those that were sent as numbers. */
  readonly tokens: number;
  /** Number of inputs. */
  readonly items: number;
}

/** Returns what a checked field has. */
export function readTokenInput(value: unknown): TokenInput {
  if (typeof value === 'string') return { texts: [value], tokens: 0, items: 1 };
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  if (items.every((item) => typeof item === 'string')) {
    return { texts: items, tokens: 0, items: items.length };
  }
  const lists = items.filter((item) => Array.isArray(item));
  if (lists.length === 0) return { texts: [], tokens: items.length, items: 1 };
  const tokens = lists.reduce((sum, list) => sum + list.length, 0);
  return { texts: [], tokens, items: lists.length };
}

const EXPECTED = 'a string, an array of strings, an array of tokens or an array of such arrays';

/** Checks such a field. */
export function checkTokenInput(key: string, value: unknown): Refusal | undefined {
  if (typeof value === 'string') return undefined;
  if (!Array.isArray(value)) return wrongType(key, EXPECTED, value);
  const items: readonly unknown[] = value;
  const [first] = items;
  if (items.length === 0) return invalidValue(key, `"${key}" is empty. Send ${EXPECTED}.`);
  const isKind =
    typeof first === 'string'
      ? (item: unknown) => typeof item === 'string'
      : Array.isArray(first)
        ? (item: unknown) => Array.isArray(item) && item.length > 0 && item.every(isToken)
        : isToken;
  const fault = items.findIndex((item) => !isKind(item));
  if (fault === -1) return undefined;
  const found = jsonTypeName(items[fault]);
  return invalidValue(
    `${key}[${fault}]`,
    `"${key}" must be ${EXPECTED}; "${key}[${fault}]" is ${found} that does not fit.`,
  );
}

function isToken(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Tokens of the prompt that fields of a request make up, never more than its upper bound. In turns,
 * as `countPrompt` of a protocol.
 */
export function* countTokenInput(
  model: string,
  body: Uint8Array,
  fields: readonly string[],
): Generator<undefined, number> {
  const bound = inputTokensBound(body.length);
  const request = readPromptBody(body);
  if (request === undefined) return bound;
  const inputs = fields.map((name) => readTokenInput(request[name] ?? []));
  const texts = inputs.flatMap((input) => input.texts);
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0);
  const counted = yield* countTexts(encoderFor(model), texts);
  return Math.min(tokens + counted, bound);
}

/** No such prompt has more tokens: each is a byte of text at least, or a number and a comma. */
export function inputTokensBound(bodyBytes: number): number {
  const shape = { bodyBytes, hasTools: false, mediaParts: 0, hasUnboundedParts: false };
  return promptTokensUpperBound(shape);
}
