import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { refuseUnreadable } from '../../neutral-form/refuse-unreadable.ts';
import type { NeutralRequest } from '../../neutral-form/request.ts';
import { writeThinking } from '../../anthropic-family/write-thinking.ts';
import type { Target } from '../../protocol.ts';
import { limitCacheMarks } from './cache-marks.ts';
import { encloseBody } from './enclose.ts';
import { writeMessages } from './write-messages.ts';
import { writeTools } from './write-tools.ts';

/** Returns the body for an upstream that speaks Messages. */
export function writeRequest(request: NeutralRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request);
  if (fault !== undefined) return fault;
  const { upstreamModel, omittedFields, profile } = target;
  const { stop, userId } = request;
  const maxTokens = target.outputTokensCap ?? request.maxOutputTokens ?? target.outputTokensMax;
  const { system, messages } = writeMessages(request.messages);
  const thinking = writeThinking(request, { profile, outputTokens: maxTokens });
  const body: OwnJsonObject = {
    model: upstreamModel,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...(request.stream ? { stream: true } : {}),
    ...writeTools(request),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
    ...(request.topK === undefined ? {} : { top_k: request.topK }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
    ...thinking,
    ...writeFormat(request, thinking['output_config']),
    ...(userId === undefined ? {} : { metadata: { user_id: userId } }),
  };
  limitCacheMarks(body, {
    namesCache: request.cacheKey !== undefined,
    marksWhole: !omittedFields.includes('cache_control'),
  });
  for (const name of omittedFields) Reflect.deleteProperty(body, name);
  if (target.envelope !== undefined) encloseBody(body, target.envelope);
  return body;
}

function writeFormat({ format }: NeutralRequest, config: unknown): OwnJsonObject {
  if (format?.type !== 'json_schema') return {};
  const { schema } = format;
  return { output_config: { ...(config ?? {}), format: { type: 'json_schema', schema } } };
}
