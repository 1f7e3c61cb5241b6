import type { Refusal } from '../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../platform/json/json-value.ts';
import type { ExchangeRequest } from '../exchange-form/request.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { Target } from '../protocol.ts';
import { limitCacheMarks } from './request/cache-marks.ts';
import { refusesSampling, takesSystemMessages } from './request/claude-models.ts';
import { writeMessages } from './request/write-messages.ts';
import { writeThinking } from './request/write-thinking.ts';
import { writeTools } from './request/write-tools.ts';

/** What of the neutral form is mere advice, which Messages has no field for. */
export const LEFT_OUT: readonly (keyof ExchangeRequest)[] = [
  'presencePenalty',
  'frequencyPenalty',
  'seed',
  'verbosity',
];

const JSON_ONLY = 'Answer with one JSON object and nothing else: no other text and no code fence.';
const METADATA_CHARACTERS_MAX = 256;

/** Returns the body for an upstream that speaks Messages. */
export function writeRequest(request: ExchangeRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request);
  if (fault !== undefined) return fault;
  const { upstreamModel, omittedFields } = target;
  const { format, stop, userId } = request;
  const maxTokens = target.outputTokensCap ?? request.maxOutputTokens ?? target.outputTokensMax;
  const { fields: tools, instruction, forced } = writeTools(request, upstreamModel);
  const told = [instruction, format?.type === 'json' ? JSON_ONLY : undefined];
  const more = told.filter((text) => text !== undefined).join('\n');
  const written = writeMessages(request.messages, {
    systemMessages: takesSystemMessages(upstreamModel),
    ...(more === '' ? {} : { more }),
  });
  if (written.refusal !== undefined) return written.refusal;
  const { system, messages } = written;
  const thinking = writeThinking(request, { upstreamModel, outputTokens: maxTokens, forced });
  const sequences = stop?.filter((one) => one.trim() !== '') ?? [];
  const body: OwnJsonObject = {
    model: upstreamModel,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...(request.stream ? { stream: true } : {}),
    ...tools,
    ...writeSampling(request, upstreamModel, thinking['thinking'] !== undefined),
    ...(sequences.length === 0 ? {} : { stop_sequences: sequences }),
    ...thinking,
    ...writeFormat(request, thinking['output_config']),
    ...(userId === undefined || userId.length > METADATA_CHARACTERS_MAX
      ? {}
      : { metadata: { user_id: userId } }),
  };
  limitCacheMarks(body, request.cacheKey !== undefined);
  for (const name of omittedFields) Reflect.deleteProperty(body, name);
  return body;
}

/** What the reply would lack. */
function refuseUnreadable({ choices, logprobs }: ExchangeRequest): Refusal | undefined {
  if (choices > 1) {
    return invalidValue(
      'n',
      'The upstream of this model gives one reply to a request. Ask for one, or send the request several times.',
    );
  }
  return logprobs === undefined
    ? undefined
    : invalidValue(
        'logprobs',
        'The upstream of this model has no log probabilities. Leave them out.',
      );
}

/**
 * Newer models refuse these, as do those that think; models before them take one of the first two.
 */
function writeSampling(
  { temperature, topP, topK }: ExchangeRequest,
  upstreamModel: string,
  thinks: boolean,
): OwnJsonObject {
  if (thinks || refusesSampling(upstreamModel)) return {};
  return {
    ...(temperature === undefined ? {} : { temperature: Math.min(temperature, 1) }),
    ...(topP === undefined || temperature !== undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
  };
}

function writeFormat({ format }: ExchangeRequest, config: unknown): OwnJsonObject {
  if (format?.type !== 'json_schema') return {};
  const { schema } = format;
  return { output_config: { ...(config ?? {}), format: { type: 'json_schema', schema } } };
}
