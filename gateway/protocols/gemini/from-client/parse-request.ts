import type { MeterId } from '@weir/shared/prices/meters';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { readObject, type ReadObject } from '../../../platform/json/read-object.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { promptSize } from '../../../tokens/prompt-size.ts';
import type { Endpoint } from '../../endpoint.ts';
import { refuseEscapedNames } from '../../fields/field-names.ts';
import { askedTier } from '../../fields/tier-name.ts';
import { invalidValue, missing } from '../../fields/field-faults.ts';
import { asksForCost, COST_FIELD } from '../../fields/asks-for-cost.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { fieldName, fieldOf, GuardedFields, sentName } from '../fields.ts';
import { checkConfig, type ConfigFacts } from './check-config.ts';
import { checkContents, checkInstruction, type ContentFacts } from './check-contents.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { GEMINI_FIELDS } from './known-fields.ts';
import { checkNames } from './check-names.ts';
import { checkTools, type ToolFacts } from './check-tools.ts';
import { parseEmbed, type Embeds } from './parse-embed.ts';

/** A request that passed every check, with the places of its members in the bytes. */
export interface GeminiRequest extends ParsedRequest {
  readonly members: MemberSpans;
  /** A stream as server-sent events; else as one JSON array that grows. */
  readonly serverSentEvents: boolean;
  /** Fields that were sent and must not reach an upstream, by the name that was sent. */
  readonly withheldFields: readonly string[];
  /** The name under which the generation config was sent; null when it was not. */
  readonly configName: string | null;
  /** The input of a request for embeddings. */
  readonly embeds?: Embeds;
  /** Number of contents to be embedded. */
  readonly contents?: number;
  /** The client wants to see what the model thought. */
  readonly includeThoughts: boolean;
}

/**
 * Fields that make an upstream charge otherwise than the model is priced, and the model's name,
 * which the path has: an upstream that reads it in the body would serve another model than is
 * billed.
 */
export const WITHHELD_FIELDS: readonly string[] = ['serviceTier', 'model', COST_FIELD];
const TIER_FIELD = 'serviceTier';

const ACTED_ON = [
  'contents',
  'systemInstruction',
  'tools',
  'generationConfig',
  'cachedContent',
  ...WITHHELD_FIELDS,
];
const GUARDED = new GuardedFields(ACTED_ON);
const GUARDED_NAMES: ReadonlySet<string> = new Set(
  ACTED_ON.map(fieldName).flatMap(({ camel, snake }) => [camel, snake]),
);

export function parseRequest(
  body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): GeminiRequest | Refusal {
  const model = (head.pathModel ?? '').replace(RESOURCE_PREFIX, '');
  const misnamed = checkModel(model, limits);
  if (misnamed !== undefined) return misnamed;
  const read = readObject(body, limits.jsonDepthMax);
  if (isRefusal(read)) return read;
  if (head.endpoint.operation === 'embed') return parseEmbed(read, head.endpoint, model);
  const counted = head.endpoint.operation === 'count' ? countedRequest(read.value) : read.value;
  const fault = checkNames(counted, GUARDED, '') ?? refuseEscapedNames(read, GUARDED_NAMES);
  if (fault !== undefined) return fault;
  const facts = checkFields(counted, limits);
  return isRefusal(facts) ? facts : parsed(read, head, { model, ...facts });
}

interface RequestFacts {
  readonly contents: ContentFacts;
  readonly tools: ToolFacts;
  readonly config: ConfigFacts;
}

function checkFields(body: JsonObject, limits: RequestLimits): RequestFacts | Refusal {
  if (fieldOf(body, 'cachedContent') !== undefined) {
    return invalidValue(
      'cachedContent',
      'Cached contents lie at one upstream account and are not kept here. Send their contents with the request: what repeats is cached by itself.',
    );
  }
  const contents = checkContents(body['contents']);
  if (isRefusal(contents)) return contents;
  const instruction = checkInstruction(fieldOf(body, 'systemInstruction'));
  if (instruction !== undefined) return instruction;
  const tools = checkTools(body['tools']);
  if (isRefusal(tools)) return tools;
  const config = checkConfig(fieldOf(body, 'generationConfig'), limits);
  return isRefusal(config) ? config : { contents, tools, config };
}

const NO_METERS: readonly MeterId[] = [];

/** The suffix of the endpoint whose replies are streams. */
const STREAMING = ':streamGenerateContent';

export function isStreaming({ path }: Endpoint): boolean {
  return path.endsWith(STREAMING);
}

/**
 * Returns whether the query asks for server-sent events; without them a stream is one JSON array.
 */
export function isServerSentEvents(query: string): boolean {
  return /(?:^|&)alt=sse(?:&|$)/i.test(query);
}

function parsed(
  { bytes, members, value, keys }: ReadObject,
  { endpoint, query }: RequestHead,
  { model, contents, tools, config }: RequestFacts & { readonly model: string },
): GeminiRequest {
  const { mediaParts, mediaBytes } = contents;
  const { hasTools } = tools;
  const hasUnboundedParts = contents.hasUnboundedParts || tools.hasUnboundedInput;
  const bodyBytes = bytes.length;
  const meters = [...tools.meters, ...config.meters];
  const withheldFields = WITHHELD_FIELDS.flatMap((field) => sentName(value, field) ?? []);
  return {
    model,
    stream: isStreaming(endpoint),
    serverSentEvents: isServerSentEvents(query),
    maxOutputTokens: config.maxOutputTokens,
    heldInSlices: false,
    meters: meters.length === 0 ? NO_METERS : meters,
    conversation: null,
    choices: config.choices,
    ...promptSize({ bodyBytes, hasTools, mediaParts, mediaBytes, hasUnboundedParts }),
    bytes,
    parsed: new ParsedBody(value),
    members,
    withheldFields,
    unknownFields: findUnknownFields(value, keys, {
      shapes: GEMINI_FIELDS,
      withheld: withheldFields,
    }),
    tier: askedTier(sentName(value, TIER_FIELD) ?? '', fieldOf(value, TIER_FIELD)),
    configName: sentName(value, 'generationConfig') ?? null,
    includeThoughts: config.includeThoughts,
    reportsCost: asksForCost(value),
  };
}

/** Some clients write `models/` before a model's ID twice: in the path and in the ID. */
const RESOURCE_PREFIX = /^models\//;

function checkModel(model: string, { modelCharactersMax }: RequestLimits): Refusal | undefined {
  if (model === '') {
    return missing(
      'model',
      'The path names no model. Call /v1beta/models/{model}:generateContent.',
    );
  }
  return model.length > modelCharactersMax
    ? invalidValue('model', `The model is longer than ${modelCharactersMax} characters.`)
    : undefined;
}

/** Tokens are counted of contents alone, or of a whole request within the body. */
function countedRequest(body: JsonObject): JsonObject {
  const request = fieldOf(body, 'generateContentRequest');
  return isJsonObject(request) ? request : body;
}
