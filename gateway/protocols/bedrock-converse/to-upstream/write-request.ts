import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { writeThinking } from '../../anthropic-family/write-thinking.ts';
import { refuseUnreadable } from '../../neutral-form/refuse-unreadable.ts';
import type { NeutralRequest } from '../../neutral-form/request.ts';
import type { Target } from '../../protocol.ts';
import { cachePoint, limitCachePoints } from './cache-points.ts';
import {
  cacheWhole,
  calledTools,
  usesTools,
  writeConversation,
  type WrittenConversation,
} from './write-conversation.ts';
import { writeTools, type WrittenTools } from './write-tools.ts';
import type { TargetProfile } from '../../target-profile.ts';

/** Returns the model's own field for the effort, which the fit has brought to one of its words. */
function writeEffort(
  { effort }: NeutralRequest,
  { additionalEffortField }: TargetProfile,
): OwnJsonObject {
  if (effort === undefined || additionalEffortField === null) return {};
  switch (additionalEffortField) {
    case 'reasoning_effort':
    case 'reasoning_config':
      return { [additionalEffortField]: effort };
    case 'reasoning':
      return { reasoning: { effort } };
    case 'reasoningConfig':
      return effort === 'none'
        ? { reasoningConfig: { type: 'disabled' } }
        : { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort } };
  }
}

/** Pointers to the stop sequence that came, in the replies and in the streams of a Claude. */
const STOP_SEQUENCE_PATHS = ['/stop_sequence', '/delta/stop_sequence'];
/** Tiers that may be asked for; without one the request is served in the ordinary one. */
const TIERS: ReadonlySet<string | undefined> = new Set(['flex', 'priority', 'reserved']);
const SCHEMA_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the body for an upstream that speaks Converse; its path has the model. */
export function writeRequest(request: NeutralRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request);
  if (fault !== undefined) return fault;
  const { profile, omittedFields } = target;
  const conversation = writeConversation(request.messages, profile);
  const called = usesTools(conversation) ? calledTools(request.messages) : [];
  const tools = writeTools(request, { profile, called });
  limitPoints(request, target, { conversation, tools: tools.tools });
  const { system, messages } = conversation;
  const { toolChoice } = tools;
  const outputTokens = outputTokensOf(request, target);
  const thinking = thinkingOf(request, target, outputTokens);
  const stops = request.stop ?? [];
  const body: OwnJsonObject = {
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...member('inferenceConfig', inferenceConfig(request, outputTokens, stops)),
    ...(tools.tools.length === 0
      ? {}
      : { toolConfig: { tools: tools.tools, ...(toolChoice && { toolChoice }) } }),
    ...member('outputConfig', { ...textFormat(request), ...thinking.outputConfig }),
    ...member(
      'additionalModelRequestFields',
      additionalFields(request, target, { tools, thinking }),
    ),
    ...(TIERS.has(target.tier) ? { serviceTier: { type: target.tier } } : {}),
    ...(profile.anthropicFields && stops.length > 0
      ? { additionalModelResponseFieldPaths: STOP_SEQUENCE_PATHS }
      : {}),
  };
  for (const name of omittedFields) Reflect.deleteProperty(body, name);
  return body;
}

function member(name: string, fields: OwnJsonObject): OwnJsonObject {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

/**
 * Bedrock's own limit for a Claude is 4,096 tokens, thinking included, where the request has none;
 * for other models it is theirs.
 */
function outputTokensOf(
  { maxOutputTokens }: NeutralRequest,
  { outputTokensCap, outputTokensMax, profile }: Target,
): number | undefined {
  const named = outputTokensCap ?? maxOutputTokens;
  return named ?? (profile.anthropicFields ? outputTokensMax : undefined);
}

function inferenceConfig(
  { temperature, topP }: NeutralRequest,
  maxTokens: number | undefined,
  stopSequences: readonly string[],
): OwnJsonObject {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
  };
}

/** A JSON schema travels as a text. */
function textFormat({ format }: NeutralRequest): OwnJsonObject {
  if (format?.type !== 'json_schema') return {};
  const { name, schema } = format;
  const named = name !== undefined && SCHEMA_NAME.test(name) ? { name } : {};
  const jsonSchema = { schema: JSON.stringify(schema), ...named };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

interface WrittenThinking {
  readonly outputConfig: OwnJsonObject;
  /** The model's own fields. */
  readonly fields: OwnJsonObject;
}

function thinkingOf(
  request: NeutralRequest,
  { profile, outputTokensMax }: Target,
  outputTokens = outputTokensMax,
): WrittenThinking {
  if (!profile.anthropicFields) return { outputConfig: {}, fields: writeEffort(request, profile) };
  const { output_config: config, ...fields } = writeThinking(request, { profile, outputTokens });
  return { outputConfig: { ...(config ?? {}) }, fields };
}

function additionalFields(
  { topK }: NeutralRequest,
  { profile }: Target,
  { tools, thinking }: { readonly tools: WrittenTools; readonly thinking: WrittenThinking },
): OwnJsonObject {
  const { anthropicChoice } = tools;
  return {
    ...thinking.fields,
    ...(topK === undefined || !profile.anthropicFields ? {} : { top_k: topK }),
    ...(anthropicChoice === undefined ? {} : { tool_choice: anthropicChoice }),
  };
}

/** A client that names a cache and marks nothing has the whole prompt cached. */
function limitPoints(
  { cacheKey }: NeutralRequest,
  { profile }: Target,
  { conversation, tools }: Pick<WrittenTools, 'tools'> & { conversation: WrittenConversation },
): void {
  const { system, messages } = conversation;
  const lists = [tools, system, ...messages.map(({ content }) => content)];
  const isMarked = limitCachePoints(lists);
  if (isMarked || cacheKey === undefined || profile.cachePoints === 'none') return;
  cacheWhole(conversation, cachePoint({ ttl: '5m' }, profile));
}
