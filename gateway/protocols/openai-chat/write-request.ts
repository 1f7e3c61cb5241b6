import { createHash } from 'node:crypto';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { JsonObject, OwnJsonObject } from '../../platform/json/json-value.ts';
import type { ExchangeRequest, ReplyFormat } from '../exchange-form/request.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { Target } from '../protocol.ts';
import { outputLimitFieldOf } from './encode-request.ts';
import {
  effortOfBudget,
  isOpenaiModel,
  reasoningEffort,
  takesCacheBreakpoints,
} from './request/openai-models.ts';
import { writeTools } from './request/tools.ts';
import { writeMessages } from './request/write-messages.ts';

/**
 * Returns the body for an upstream that speaks chat completions. Left out, as mere advice: `top_k`,
 * which OpenAI refuses, and cache marks that the model does not know.
 */
export function writeRequest(request: ExchangeRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request);
  if (fault !== undefined) return fault;
  const { upstreamModel } = target;
  const messages = writeMessages(request.messages, {
    cacheBreakpoints: takesCacheBreakpoints(upstreamModel),
    freeForm: isOpenaiModel(upstreamModel),
    // OpenAI's own models make none in chat completions, and refuse fields that they do not know.
    images: !isOpenaiModel(upstreamModel),
  });
  if (isRefusal(messages)) return messages;
  const { format, userId, cacheKey } = request;
  const body: OwnJsonObject = {
    model: upstreamModel,
    messages,
    stream: request.stream ? true : undefined,
    stream_options: request.stream ? { include_usage: true } : undefined,
    ...writeLimit(request, target),
    ...writeTools(request, upstreamModel),
    temperature: request.temperature,
    top_p: request.topP,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    seed: request.seed,
    stop: request.stop,
    reasoning_effort: writeEffort(request, upstreamModel),
    response_format: format === undefined ? undefined : writeFormat(format),
    verbosity: request.verbosity,
    service_tier: target.tier,
    user: userId === undefined ? undefined : shortId(userId),
    prompt_cache_key: cacheKey === undefined ? undefined : shortId(cacheKey),
  };
  for (const name of Object.keys(body)) {
    if (body[name] === undefined || target.omittedFields.includes(name)) {
      Reflect.deleteProperty(body, name);
    }
  }
  return body;
}

/** What a reply would have in it that the neutral form has no place for. */
function refuseUnreadable({ choices, logprobs }: ExchangeRequest): Refusal | undefined {
  if (choices > 1) {
    return invalidValue(
      'n',
      'The upstream of this model gives one reply to a request. Ask for one, or send the request several times.',
    );
  }
  if (logprobs === undefined) return undefined;
  return invalidValue(
    'logprobs',
    'The log probabilities of this model can be had at /v1/chat/completions only. Leave them out or use that path.',
  );
}

function writeLimit({ maxOutputTokens }: ExchangeRequest, target: Target): OwnJsonObject {
  const limit = target.outputTokensCap ?? maxOutputTokens;
  if (limit === undefined) return {};
  return { [target.outputLimitField ?? outputLimitFieldOf(target.upstreamModel)]: limit };
}

function writeEffort(request: ExchangeRequest, upstreamModel: string): string | undefined {
  const { effort, reasoningTokensMax: budget } = request;
  const wanted = effort ?? (budget === undefined ? undefined : effortOfBudget(budget));
  return wanted === undefined ? undefined : reasoningEffort(upstreamModel, wanted);
}

function writeFormat(format: ReplyFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'reply', schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, schema, strict } };
}

/** The longest id that OpenAI takes. */
const ID_CHARACTERS_MAX = 64;

/** Clients of other protocols have longer ids: what takes their place is as distinct. */
function shortId(id: string): string {
  if (id.length <= ID_CHARACTERS_MAX) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, ID_CHARACTERS_MAX);
}
