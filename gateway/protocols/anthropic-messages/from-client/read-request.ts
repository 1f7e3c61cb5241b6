import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { shapes } from '../../fields/shape.ts';
import type { Effort, NeutralRequest, ReplyFormat } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { uncarriedFields } from '../../fields/uncarried-fields.ts';
import { bodyOf } from '../../fields/parsed-body.ts';
import type { MessagesRequest } from './parse-request.ts';
import { readMessages } from './read-messages.ts';
import { hostedTools, readToolChoice, readTools } from './read-tools.ts';

/**
 * Fields that are mere advice, or that only Anthropic acts on without the reply being another: no
 * upstream of another protocol gets them. So are fields that Weir does not know.
 */
export const LEFT_OUT_FIELDS: readonly string[] = [
  'cache_control',
  'context_management',
  'diagnostics',
  'tags',
];

/**
 * Fields whose meaning only Anthropic knows. Claude Code sends the request again without what is
 * named.
 */
export const REFUSED_FIELDS: readonly string[] = ['safeguards', 'compaction'];

/** The fields that `readRequest` reads. All others are named as left out. */
const CARRIED_FIELDS = shapes(
  `model stream max_tokens system temperature top_p top_k stop_sequences tool_choice safeguards`,
  [
    ['messages', shapes('role content')],
    ['tools', shapes('type name description input_schema strict cache_control defer_loading')],
    ['thinking', shapes('type budget_tokens display')],
    ['output_config', shapes('effort', [['format', shapes('type schema')]])],
    ['metadata', shapes('user_id')],
  ],
);

/** A client's request in the neutral form. A refusal names what this has no place for. */
export function readRequest(request: MessagesRequest): NeutralRequest | Refusal {
  const body = bodyOf(request);
  if (body === undefined) return refuse('invalid_json', 'The body is not valid JSON.');
  for (const name of REFUSED_FIELDS) {
    if (body[name] === undefined || body[name] === null) continue;
    return invalidValue(
      name,
      `"${name}" is known to Anthropic’s models alone. Leave it out, or use one of them.`,
    );
  }
  if (request.maxOutputTokens === 0) {
    return invalidValue(
      'max_tokens',
      '"max_tokens": 0 warms the cache of Anthropic’s models alone. Send at least 1.',
    );
  }
  const messages = readMessages(body);
  if (isRefusal(messages)) return messages;
  const tools = readTools(body);
  if (isRefusal(tools)) return tools;
  return {
    stream: request.stream,
    leftOut: [
      ...uncarriedFields(body, CARRIED_FIELDS, request.withheldFields),
      ...hostedTools(body),
    ],
    messages,
    tools,
    ...readToolChoice(body['tool_choice']),
    maxOutputTokens: request.maxOutputTokens ?? undefined,
    choices: 1,
    temperature: numberIn(body, 'temperature'),
    topP: numberIn(body, 'top_p'),
    topK: numberIn(body, 'top_k'),
    stop: readStop(body['stop_sequences']),
    ...readThinking(body),
    format: readFormat(objectIn(body, 'output_config')['format']),
    userId: readUserId(body),
    cacheKey: request.conversation ?? undefined,
  };
}

const EFFORTS: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'] satisfies Effort[];

type Thinking = Pick<NeutralRequest, 'effort' | 'reasoningTokensMax' | 'reasoningText'>;

function readThinking(body: JsonObject): Thinking {
  const thinking = objectIn(body, 'thinking');
  const { type, display } = thinking;
  if (type === 'disabled') return { effort: 'none' };
  const { effort } = objectIn(body, 'output_config');
  const thinks = type !== undefined;
  return {
    effort: EFFORTS.includes(effort) ? (effort as Effort) : undefined,
    reasoningTokensMax: type === 'enabled' ? numberIn(thinking, 'budget_tokens') : undefined,
    reasoningText: thinks ? display !== 'omitted' : undefined,
  };
}

function readFormat(format: unknown): ReplyFormat | undefined {
  if (!isJsonObject(format) || format['type'] !== 'json_schema') return undefined;
  const { schema } = format;
  // What Anthropic promises is what others call strict.
  return { type: 'json_schema', schema: isJsonObject(schema) ? schema : {}, strict: true };
}

function readStop(sequences: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(sequences) ? (sequences as unknown[]) : []).filter(
    (one) => typeof one === 'string' && one !== '',
  ) as string[];
  return texts.length === 0 ? undefined : texts;
}

function readUserId(body: JsonObject): string | undefined {
  const id = objectIn(body, 'metadata')['user_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
