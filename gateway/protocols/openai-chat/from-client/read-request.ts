import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { shapes } from '../../fields/shape.ts';
import type { Effort, NeutralRequest, ReplyFormat } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { uncarriedFields } from '../../fields/uncarried-fields.ts';
import { bodyOf } from '../../fields/parsed-body.ts';
import type { ChatRequest } from './parse-request.ts';
import { readMessages, refuseFunctions } from './read-messages.ts';
import { readToolChoice, readTools } from '../wire/tools.ts';

/**
 * Published fields that say nothing of what is to be answered, or that are mere advice: no upstream
 * of another protocol gets them. Like all that `CARRIED_FIELDS` lacks, they are named as left out.
 */
export const LEFT_OUT_FIELDS: readonly string[] = [
  'function_call',
  'logit_bias',
  'metadata',
  'moderation',
  'prompt_cache_options',
  'prompt_cache_retention',
  'store',
];

/** Fields whose meaning only an upstream of this protocol knows. */
export const REFUSED_FIELDS: readonly string[] = ['audio', 'functions', 'modalities', 'prediction'];

/** The fields that `readRequest` reads. All others are named as left out. */
const CARRIED_FIELDS = shapes(
  `model stream max_tokens max_completion_tokens n temperature top_p top_k presence_penalty
   frequency_penalty seed stop logprobs top_logprobs parallel_tool_calls reasoning_effort verbosity
   safety_identifier user prompt_cache_key modalities audio prediction functions
   tool_choice`,
  [
    [
      'messages',
      shapes(
        `role content refusal audio function_call tool_calls tool_call_id is_error images
         reasoning_content reasoning reasoning_details cache_control prompt_cache_breakpoint`,
      ),
    ],
    ['tools', shapes('type function custom name description parameters strict cache_control')],
    ['stream_options', shapes('include_usage')],
    ['reasoning', shapes('effort max_tokens exclude enabled')],
    ['response_format', shapes('type', [['json_schema', shapes('name schema strict')]])],
  ],
);

/** A client's request in the neutral form. A refusal names the field that this has no place for. */
export function readRequest(request: ChatRequest): NeutralRequest | Refusal {
  const body = bodyOf(request);
  if (body === undefined) return refuse('invalid_json', 'The body is not valid JSON.');
  const refused = refuseFields(body);
  if (refused !== undefined) return refused;
  const list: unknown = body['messages'];
  const messages = readMessages(Array.isArray(list) ? list : []);
  if (isRefusal(messages)) return messages;
  const toolChoice = readToolChoice(body['tool_choice']);
  if (toolChoice !== undefined && isRefusal(toolChoice)) return toolChoice;
  const reasoning = readEffort(body);
  if (isRefusal(reasoning)) return reasoning;
  const format = readFormat(body['response_format']);
  if (format !== undefined && isRefusal(format)) return format;
  return {
    stream: request.stream,
    leftOut: uncarriedFields(body, CARRIED_FIELDS, request.withheldFields),
    messages,
    tools: readTools(body['tools']),
    toolChoice,
    ...reasoning,
    format,
    maxOutputTokens: request.maxOutputTokens ?? undefined,
    choices: request.choices,
    logprobs: body['logprobs'] === true ? (numberIn(body, 'top_logprobs') ?? 0) : undefined,
    ...readSettings(body),
  };
}

function refuseFields(body: JsonObject): Refusal | undefined {
  if (isFilled(body['functions'])) return refuseFunctions('functions');
  const { audio, modalities, prediction } = body;
  const speaks = Array.isArray(modalities) && modalities.some((name) => name !== 'text');
  if (speaks || isJsonObject(audio)) {
    return invalidValue(
      speaks ? 'modalities' : 'audio',
      'The upstream of this model answers with text only. Leave "modalities" and "audio" out.',
    );
  }
  if (!isJsonObject(prediction)) return undefined;
  return invalidValue(
    'prediction',
    'The upstream of this model takes no predicted output. Leave "prediction" out.',
  );
}

type Settings = Omit<
  NeutralRequest,
  'stream' | 'messages' | 'tools' | 'choices' | 'maxOutputTokens' | 'logprobs'
>;

function readSettings(body: JsonObject): Settings {
  const { parallel_tool_calls: parallel, stop } = body;
  return {
    parallelToolCalls: typeof parallel === 'boolean' ? parallel : undefined,
    temperature: numberIn(body, 'temperature'),
    topP: numberIn(body, 'top_p'),
    // vLLM, OpenRouter and DashScope have it in chat completions.
    topK: numberIn(body, 'top_k'),
    presencePenalty: numberIn(body, 'presence_penalty'),
    frequencyPenalty: numberIn(body, 'frequency_penalty'),
    seed: numberIn(body, 'seed'),
    stop: readStop(stop),
    verbosity: textIn(body, 'verbosity'),
    userId: textIn(body, 'safety_identifier') ?? textIn(body, 'user'),
    cacheKey: textIn(body, 'prompt_cache_key'),
  };
}

function readStop(stop: unknown): readonly string[] | undefined {
  const sequences = (Array.isArray(stop) ? (stop as unknown[]) : [stop]).filter(
    (one) => typeof one === 'string' && one !== '',
  ) as string[];
  return sequences.length === 0 ? undefined : sequences;
}

const EFFORTS: readonly string[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] satisfies Effort[];

type Reasoning = Pick<NeutralRequest, 'effort' | 'reasoningTokensMax' | 'reasoningText'>;

/**
 * `reasoning_effort`, or OpenRouter's `reasoning` object. Clients of this protocol have no way to
 * ask for the text of the reasoning: it is asked for whenever they ask for reasoning.
 */
function readEffort(body: JsonObject): Reasoning | Refusal {
  const reasoning = isJsonObject(body['reasoning']) ? body['reasoning'] : {};
  const { exclude, enabled } = reasoning;
  const tokens = numberIn(reasoning, 'max_tokens');
  const named = textIn(body, 'reasoning_effort') ?? textIn(reasoning, 'effort');
  const effort = named ?? (enabled === false ? 'none' : undefined);
  if (effort !== undefined && !EFFORTS.includes(effort)) {
    const param = body['reasoning_effort'] === effort ? 'reasoning_effort' : 'reasoning.effort';
    return invalidValue(param, `"${param}" must be one of ${EFFORTS.join(', ')}.`);
  }
  const reasons = tokens !== undefined || (effort !== undefined && effort !== 'none');
  return {
    effort: effort as Effort | undefined,
    reasoningTokensMax: tokens,
    reasoningText: reasons || enabled === true ? exclude !== true : undefined,
  };
}

function readFormat(format: unknown): ReplyFormat | Refusal | undefined {
  if (!isJsonObject(format)) return undefined;
  const { type, json_schema: asked } = format;
  if (type === 'json_object') return { type: 'json' };
  if (type === 'text' || type === undefined) return undefined;
  if (type !== 'json_schema' || !isJsonObject(asked)) {
    return invalidValue(
      'response_format',
      '"response_format" must be {"type": "text"}, {"type": "json_object"} or {"type": "json_schema", "json_schema": {"name": "…", "schema": {…}}}.',
    );
  }
  const { name, schema, strict } = asked;
  return {
    type: 'json_schema',
    ...(stringOf(name) === '' ? {} : { name: stringOf(name) }),
    schema: isJsonObject(schema) ? schema : {},
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function numberIn(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  return typeof value === 'number' ? value : undefined;
}

/** Undefined when there is none, or an empty one. */
function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
