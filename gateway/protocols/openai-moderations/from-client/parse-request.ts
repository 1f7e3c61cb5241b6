import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { checkModel } from '../../fields/field-checks.ts';
import { missing, wrongType } from '../../fields/field-faults.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { shapes } from '../../fields/shape.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { fieldRules, readFields } from '../../openai-family/check-fields.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';

/** A moderations request that passed every check, with the places of its members in the bytes. */
export interface ModerationsRequest extends ParsedRequest {
  readonly members: MemberSpans;
  readonly withheldFields: readonly string[];
}

/** The model of a request that names none, as at OpenAI. */
const DEFAULT_MODEL = 'omni-moderation-latest';

/** OpenAI's published fields (`ModerationCreateParams` of its SDK). */
const MODERATION_FIELDS = shapes('model', [['input', 'any']]);
const REPLACED_FIELDS: ReadonlySet<string> = new Set(['model', ...WITHHELD_FIELDS]);
const RULES = fieldRules([
  ['model', checkModel],
  ['input', checkInput],
]);
const NO_METERS: readonly never[] = [];

/** Reads a moderations request. */
export function parseRequest(
  body: Buffer,
  _head: RequestHead,
  limits: RequestLimits,
): ModerationsRequest | Refusal {
  const read = readFields(body, { rules: RULES, replaced: REPLACED_FIELDS }, limits);
  if (isRefusal(read)) return read;
  const { bytes, members, value, withheldFields } = read;
  const { model, input } = value;
  if (input === undefined || input === null) {
    return missing('input', '"input" is missing. Send the text, or a list of texts and images.');
  }
  return {
    model: typeof model === 'string' ? model : DEFAULT_MODEL,
    stream: false,
    maxOutputTokens: 0,
    heldInSlices: false,
    meters: NO_METERS,
    countsNoTokens: true,
    unknownFields: findUnknownFields(value, read.keys, {
      shapes: MODERATION_FIELDS,
      withheld: withheldFields,
    }),
    conversation: null,
    choices: 1,
    promptTokensBound: 0,
    textTokensBound: 0,
    promptTokensEstimate: 0,
    hasUnboundedParts: false,
    withheldFields,
    bytes,
    parsed: new ParsedBody(value),
    members,
  };
}

function checkInput(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' || Array.isArray(value)
    ? undefined
    : wrongType(key, 'a string or an array', value);
}
