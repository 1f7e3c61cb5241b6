import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import { refuseUnreadable } from '../../neutral-form/refuse-unreadable.ts';
import type { NeutralRequest, ReplyFormat } from '../../neutral-form/request.ts';
import type { Target } from '../../protocol.ts';
import { writeEffort } from '../../openai-family/write-effort.ts';
import { writeTools } from '../wire/tools.ts';
import { writeMessages } from './write-messages.ts';

/**
 * Returns the body for an upstream that speaks chat completions. Left out, as mere advice: cache
 * marks that the model does not know.
 */
const NO_LOGPROBS =
  'The log probabilities of this model can be had at /v1/chat/completions only. Leave them out or use that path.';

export function writeRequest(request: NeutralRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request, NO_LOGPROBS);
  if (fault !== undefined) return fault;
  const { upstreamModel, profile } = target;
  const messages = writeMessages(request.messages, {
    cacheBreakpoints: profile.cacheBreakpoints,
    freeForm: profile.customTools,
    images: profile.assistantImages,
  });
  const { format, userId, cacheKey } = request;
  const body: OwnJsonObject = {
    model: upstreamModel,
    messages,
    stream: request.stream ? true : undefined,
    stream_options: request.stream ? { include_usage: true } : undefined,
    ...writeLimit(request, target),
    ...writeTools(request, profile),
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    seed: request.seed,
    stop: request.stop,
    ...writeEffort(request.effort, profile),
    response_format: format === undefined ? undefined : writeFormat(format),
    verbosity: request.verbosity,
    service_tier: target.tier,
    user: userId,
    prompt_cache_key: cacheKey,
  };
  for (const name of Object.keys(body)) {
    if (body[name] === undefined || target.omittedFields.includes(name)) {
      Reflect.deleteProperty(body, name);
    }
  }
  return body;
}

function writeLimit({ maxOutputTokens }: NeutralRequest, target: Target): OwnJsonObject {
  const limit = target.outputTokensCap ?? maxOutputTokens;
  if (limit === undefined) return {};
  const field = target.outputLimitField ?? target.profile.outputLimitField;
  return { [field ?? 'max_tokens']: limit };
}

function writeFormat(format: ReplyFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'reply', schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, schema, strict } };
}
