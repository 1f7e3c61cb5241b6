import type { Refusal } from '../../platform/errors/refusal.ts';
import type { JsonObject, OwnJsonObject } from '../../platform/json/json-value.ts';
import type {
  Effort,
  ExchangeMessage,
  ExchangeRequest,
  ExchangeTool,
  ReplyFormat,
  ToolChoice,
} from '../exchange-form/request.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { Target } from '../protocol.ts';
import { writeItems } from './request/write-items.ts';

/**
 * What a client may have asked for that Responses cannot do, and that changes no more than the
 * style of a reply: it is left out.
 */
export const ADVISORY_FIELDS = [
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
] as const satisfies readonly (keyof ExchangeRequest)[];

/** OpenAI refuses a smaller limit. */
const OUTPUT_TOKENS_MIN = 16;

/** Writes the body for an upstream that speaks Responses. */
export function writeRequest(request: ExchangeRequest, target: Target): OwnJsonObject | Refusal {
  if (request.choices > 1) {
    return invalidValue('n', 'The upstreams of this model make one reply. Ask for one ("n": 1).');
  }
  if (request.logprobs !== undefined) {
    return invalidValue('logprobs', 'The upstreams of this model give no logprobs. Leave it out.');
  }
  const { instructions, rest } = leadingInstructions(request.messages);
  const limit = target.outputTokensCap ?? request.maxOutputTokens;
  const body: OwnJsonObject = {
    model: target.upstreamModel,
    instructions,
    input: writeItems(rest),
    stream: request.stream || undefined,
    // Nothing has to be stored: the client sends the whole conversation again.
    store: false,
    include: ['reasoning.encrypted_content'],
    ...writeTools(request),
    max_output_tokens: limit === undefined ? undefined : Math.max(limit, OUTPUT_TOKENS_MIN),
    temperature: request.temperature,
    top_p: request.topP,
    reasoning: writeReasoning(request),
    text: writeText(request),
    service_tier: target.tier,
    prompt_cache_key: request.cacheKey,
    safety_identifier: request.userId,
  };
  for (const name of target.omittedFields) body[name] = undefined;
  return body;
}

/** What comes before everything else; later system messages stay in their place. */
function leadingInstructions(messages: readonly ExchangeMessage[]): {
  readonly instructions: string | undefined;
  readonly rest: readonly ExchangeMessage[];
} {
  const texts: string[] = [];
  let at = 0;
  for (const message of messages) {
    if (message.role !== 'system') break;
    texts.push(...message.parts.map(({ text }) => text));
    at += 1;
  }
  return { instructions: at === 0 ? undefined : texts.join('\n\n'), rest: messages.slice(at) };
}

function writeTools({ tools, toolChoice, parallelToolCalls }: ExchangeRequest): OwnJsonObject {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(writeTool),
    tool_choice: toolChoice === undefined ? undefined : writeToolChoice(toolChoice, tools),
    parallel_tool_calls: parallelToolCalls,
  };
}

function writeTool({ name, description, schema, strict, grammar }: ExchangeTool): OwnJsonObject {
  if (schema === null) {
    const format = grammar === undefined ? undefined : { type: 'grammar', ...grammar };
    return { type: 'custom', name, description, format };
  }
  // What is not named is strict here, and is not where the client's request comes from.
  return { type: 'function', name, description, parameters: schema, strict: strict ?? false };
}

function writeToolChoice(choice: ToolChoice, tools: readonly ExchangeTool[]): unknown {
  const named = (name: string): OwnJsonObject => {
    const tool = tools.find((candidate) => candidate.name === name);
    return { type: tool?.schema === null ? 'custom' : 'function', name };
  };
  if (choice.mode === 'tool') return named(choice.name);
  if (!('among' in choice)) return choice.mode;
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.among.map(named) };
}

/** Up to how many tokens of thinking an effort is. */
const EFFORT_TOKENS: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [1_024, 'low'],
  [8_192, 'medium'],
  [Infinity, 'high'],
];

function writeReasoning(request: ExchangeRequest): OwnJsonObject | undefined {
  const { reasoningTokensMax: tokens, reasoningText } = request;
  const counted = tokens === undefined ? undefined : tokens < 0 ? 'medium' : effortOf(tokens);
  const effort = request.effort ?? counted;
  const summary = reasoningText === true ? 'auto' : undefined;
  return effort === undefined && summary === undefined ? undefined : { effort, summary };
}

function effortOf(tokens: number): Effort {
  return EFFORT_TOKENS.find(([max]) => tokens <= max)?.[1] ?? 'high';
}

function writeText({ format, verbosity }: ExchangeRequest): OwnJsonObject | undefined {
  if (format === undefined && verbosity === undefined) return undefined;
  return { format: format === undefined ? undefined : writeFormat(format), verbosity };
}

function writeFormat(format: ReplyFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' };
  const { name, schema, strict } = format;
  return { type: 'json_schema', name: name ?? 'reply', schema, strict };
}
