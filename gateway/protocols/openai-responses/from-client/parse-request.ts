import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { readObject } from '../../../platform/json/read-object.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { promptSize } from '../../../tokens/prompt-size.ts';
import { refuseEscapedNames } from '../../fields/field-names.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { checkResponses, type ResponsesFields } from './check-responses.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { RESPONSE_FIELDS } from './known-fields.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';

/** A Responses request that passed every check, with the places of its members in the bytes. */
export interface ResponsesRequest extends ResponsesFields, ParsedRequest {
  readonly reportsCost: boolean;
  readonly withheldFields: readonly string[];
  readonly droppableMeters: ResponsesFields['droppableMeters'];
  readonly members: MemberSpans;
  readonly storesReply: boolean;
  readonly refersTo: ResponsesFields['refersTo'];
  /** The conversation is to be compacted. */
  readonly compacts: boolean;
}

/**
 * Fields that are found in the bytes by their plain name, because Weir may replace or withhold
 * them.
 */
const REPLACED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'max_output_tokens',
  'tools',
  'tool_choice',
  'input',
  'previous_response_id',
  'conversation',
  'store',
  ...WITHHELD_FIELDS,
]);

/** Codex names its session in a header, too. */
export const SESSION_HEADER = 'session-id';

export function parseRequest(
  body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): ResponsesRequest | Refusal {
  const read = readObject(body, limits.jsonDepthMax);
  if (isRefusal(read)) return read;
  const { operation } = head.endpoint;
  const compacts = operation === 'compact';
  const fields = checkResponses(read, { limits, operation });
  if (isRefusal(fields)) return fields;
  const escaped = refuseEscapedNames(read, REPLACED_FIELDS);
  if (escaped !== undefined) return escaped;
  const { bytes, members } = read;
  const { hasTools, mediaParts, mediaBytes, cacheKey, refersTo } = fields;
  // What it refers to is a part of the prompt, and at the upstream alone.
  const hasUnboundedParts = fields.hasUnboundedParts || refersTo !== undefined;
  const bodyBytes = bytes.length;
  const session = cacheKey || (head.headers[SESSION_HEADER] ?? '');
  return {
    ...fields,
    compacts,
    maxOutputTokens: compacts ? Infinity : fields.maxOutputTokens,
    heldInSlices: false,
    unknownFields: findUnknownFields(read.value, read.keys, {
      shapes: RESPONSE_FIELDS,
      withheld: fields.withheldFields,
    }),
    conversation: session === '' ? null : session,
    choices: 1,
    ...promptSize({ bodyBytes, hasTools, mediaParts, mediaBytes, hasUnboundedParts }),
    bytes,
    parsed: new ParsedBody(read.value),
    members,
  };
}
