import type { MeterId } from '@weir/shared/prices/meters';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { readObject } from '../../../platform/json/read-object.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { promptSize } from '../../../tokens/prompt-size.ts';
import { refuseEscapedNames } from '../../fields/field-names.ts';
import { askedTier } from '../../fields/tier-name.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { readCloudBody, type CloudBody } from './read-cloud-body.ts';
import { checkRequest, type MessagesFields } from './check-request.ts';
import { conversationOf } from './conversation.ts';
import type { RequestFacts } from './request-facts.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { MESSAGES_FIELDS } from './known-fields.ts';
import { BETA_MEMBER, TIER_HEADER, VERSION_MEMBER } from '../wire/cloud-members.ts';
import { REFUSED_FIELDS, WITHHELD_FIELDS } from './withheld-fields.ts';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import { invalidValue } from '../../fields/field-faults.ts';

/** Returns the body of Messages that a client of Amazon Bedrock wants to have counted. */
function countedBody(body: Buffer, jsonDepthMax: number): Buffer | Refusal {
  const read = readObject(body, jsonDepthMax);
  if (isRefusal(read)) return read;
  const { input } = read.value;
  const invoked = isJsonObject(input) ? input['invokeModel'] : undefined;
  const base64 = isJsonObject(invoked) ? invoked['body'] : undefined;
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64');
  return invalidValue(
    'input',
    '"input" must have "invokeModel" with a "body" of Messages in base64. Other inputs are not counted here.',
  );
}

/** A Messages request that passed every check, with the places of its members in the bytes. */
export interface MessagesRequest extends ParsedRequest, Omit<MessagesFields, 'facts'> {
  readonly reportsCost: boolean;
  readonly withheldFields: readonly string[];
  readonly members: MemberSpans;
  /** Thinking blocks that Anthropic would refuse are among the messages. */
  readonly hasThinking: boolean;
  readonly hasForeignParts: boolean;
  /** The client's version; '' when it sent none. */
  readonly version: string;
  readonly beta: string;
}

export const VERSION_HEADER = 'anthropic-version';
export const BETA_HEADER = 'anthropic-beta';
/** The version of clients that name none. */
export const DEFAULT_VERSION = '2023-06-01';
const SESSION_HEADER = 'x-claude-code-session-id';

/** What the protocol looks at of a request's headers. */
export const HEADERS: readonly string[] = [VERSION_HEADER, SESSION_HEADER, TIER_HEADER];
export const LIST_HEADERS: readonly string[] = [BETA_HEADER];

/**
 * Fields that are found in the bytes by their plain name, because Weir may replace or withhold
 * them.
 */
const REPLACED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'thinking',
  'messages',
  'stream',
  'context_management',
  VERSION_MEMBER,
  BETA_MEMBER,
  ...WITHHELD_FIELDS,
  ...REFUSED_FIELDS.keys(),
]);

export function parseRequest(
  body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): MessagesRequest | Refusal {
  const { headers, endpoint } = head;
  const read = readBody(body, head, limits);
  if (isRefusal(read)) return read;
  const checked = checkRequest(read.value, read.keys, { limits, operation: endpoint.operation });
  if (isRefusal(checked)) return checked;
  const escaped = refuseEscapedNames(read, REPLACED_FIELDS);
  if (escaped !== undefined) return escaped;
  const { bytes, members } = read;
  const { facts, ...fields } = withTierOf(headers[TIER_HEADER], checked);
  const { mediaParts, mediaBytes, hasUnboundedParts } = facts;
  const { hasTools } = fields;
  const bodyBytes = bytes.length;
  return {
    ...fields,
    // Clients must name a limit and name the model's own, such as 64,000.
    heldInSlices: true,
    meters: metersOf(facts),
    unknownFields: findUnknownFields(read.value, read.keys, {
      shapes: MESSAGES_FIELDS,
      withheld: fields.withheldFields,
    }),
    conversation: conversationOf(headers[SESSION_HEADER] ?? '', read.value),
    choices: 1,
    ...promptSize({ bodyBytes, hasTools, mediaParts, mediaBytes, hasUnboundedParts }),
    hasThinking: facts.hasThinking,
    hasForeignParts: facts.hasForeignParts,
    bytes,
    parsed: new ParsedBody(read.value),
    members,
    version: headers[VERSION_HEADER] ?? '',
    beta: unionOf(headers[BETA_HEADER] ?? '', read.beta),
  };
}

/** A header for a tier is withheld like the fields for one, unless the model has a price for it. */
function withTierOf(header: string | undefined, fields: MessagesFields): MessagesFields {
  const tier = askedTier(TIER_HEADER, header);
  if (tier === undefined) return fields;
  return {
    ...fields,
    withheldFields: [...fields.withheldFields, TIER_HEADER],
    tier: { ...tier, isHeader: true },
  };
}

/** Clients of clouds name some betas in the body, and others or the same in the header. */
function unionOf(inHeader: string, inBody: string): string {
  if (inBody === '') return inHeader;
  const names = `${inHeader},${inBody}`.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))].join(',');
}

/** Reads the body as one of Messages, also where the path has what those have in it. */
function readBody(
  body: Buffer,
  { endpoint, pathModel }: RequestHead,
  { jsonDepthMax }: RequestLimits,
): CloudBody | Refusal {
  const cloud = 'cloud' in endpoint ? endpoint.cloud : undefined;
  if (cloud !== undefined || pathModel !== null) {
    const isWrapped = cloud?.name === 'bedrock' && endpoint.operation === 'count';
    const counted = isWrapped ? countedBody(body, jsonDepthMax) : body;
    if (isRefusal(counted)) return counted;
    const facts = { model: pathModel ?? undefined, stream: cloud?.streams };
    return readCloudBody(counted, facts, jsonDepthMax);
  }
  const read = readObject(body, jsonDepthMax);
  return isRefusal(read) ? read : { ...read, beta: '' };
}

const NO_METERS: readonly never[] = [];

function metersOf({ writesForAnHour, searchesTheWeb }: RequestFacts): readonly MeterId[] {
  if (!writesForAnHour && !searchesTheWeb) return NO_METERS;
  const meters: MeterId[] = [];
  if (writesForAnHour) meters.push('cacheWrite1h');
  if (searchesTheWeb) meters.push('webSearch');
  return meters;
}
