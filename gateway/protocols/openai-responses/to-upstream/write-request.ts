import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import type {
  NeutralMessage,
  NeutralRequest,
  NeutralTool,
  ReplyFormat,
  ToolChoice,
} from '../../neutral-form/request.ts';
import { refuseUnreadable } from '../../neutral-form/refuse-unreadable.ts';
import type { Target } from '../../protocol.ts';
import { offeredTools } from '../../openai-family/offered-tools.ts';
import type { TargetProfile } from '../../target-profile.ts';
import { writeItems } from './write-items.ts';

/** Writes the body for an upstream that speaks Responses. */
export function writeRequest(request: NeutralRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request);
  if (fault !== undefined) return fault;
  const { profile } = target;
  const { instructions, rest } = leadingInstructions(request.messages);
  const limit = target.outputTokensCap ?? request.maxOutputTokens;
  const body: OwnJsonObject = {
    model: target.upstreamModel,
    instructions,
    input: writeItems(rest, profile),
    stream: request.stream || undefined,
    // Nothing has to be stored: the client sends the whole conversation again.
    store: false,
    include: profile.encryptedReasoning ? ['reasoning.encrypted_content'] : undefined,
    ...writeTools(request, profile),
    max_output_tokens: limit === undefined ? undefined : Math.max(limit, profile.outputTokensMin),
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

/** Returns the leading system messages as instructions; later ones stay in their place. */
function leadingInstructions(messages: readonly NeutralMessage[]): {
  readonly instructions: string | undefined;
  readonly rest: readonly NeutralMessage[];
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

function writeTools(request: NeutralRequest, profile: TargetProfile): OwnJsonObject {
  const { tools, choice } = offeredTools(request, profile);
  if (tools.length === 0) return {};
  return {
    tools: tools.map(writeTool),
    tool_choice: choice && writeToolChoice(choice, tools),
    parallel_tool_calls: request.parallelToolCalls,
  };
}

function writeTool({ name, description, schema, strict, grammar }: NeutralTool): OwnJsonObject {
  if (schema === null) {
    const format = grammar === undefined ? undefined : { type: 'grammar', ...grammar };
    return { type: 'custom', name, description, format };
  }
  // What is not named is strict here, and is not where the client's request comes from.
  return { type: 'function', name, description, parameters: schema, strict: strict ?? false };
}

function writeToolChoice(choice: ToolChoice, tools: readonly NeutralTool[]): unknown {
  const named = (name: string): OwnJsonObject => {
    const tool = tools.find((candidate) => candidate.name === name);
    return { type: tool?.schema === null ? 'custom' : 'function', name };
  };
  if (choice.mode === 'tool') return named(choice.name);
  if (!('among' in choice)) return choice.mode;
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.among.map(named) };
}

function writeReasoning({ effort, reasoningText }: NeutralRequest): OwnJsonObject | undefined {
  const summary = reasoningText === true ? 'auto' : undefined;
  return effort === undefined && summary === undefined ? undefined : { effort, summary };
}

function writeText({ format, verbosity }: NeutralRequest): OwnJsonObject | undefined {
  if (format === undefined && verbosity === undefined) return undefined;
  return { format: format === undefined ? undefined : writeFormat(format), verbosity };
}

function writeFormat(format: ReplyFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' };
  const { name, schema, strict } = format;
  return { type: 'json_schema', name: name ?? 'reply', schema, strict };
}
