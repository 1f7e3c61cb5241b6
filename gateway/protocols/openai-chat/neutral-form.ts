import { isJsonObject, parseOwnObject } from '../../platform/json/json-value.ts';
import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import type { ChatRequest } from './from-client/parse-request.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { readRequest } from './from-client/read-request.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeReply } from './to-client/write-reply.ts';
import { writeRequest } from './to-upstream/write-request.ts';
import { writeStream } from './to-client/write-stream.ts';
import { memberValue } from '../../platform/json/scan-members.ts';
import { EFFORTS, mustNotThink } from '../neutral-form/fit/fit-reasoning.ts';
import type { TargetProfile } from '../target-profile.ts';

/**
 * Reports whether a request has stop sequences that its model is known not to take: OpenAI's
 * reasoning models take none, and most others four.
 */
function stopsBeyond(
  request: ChatRequest,
  { familyKnown, stopSequencesMax }: TargetProfile,
): boolean {
  if (!familyKnown) return false;
  const stop = memberValue(request, 'stop');
  const count = Array.isArray(stop) ? stop.length : typeof stop === 'string' ? 1 : 0;
  return count > stopSequencesMax;
}

/** Reports whether a request has tools with which its model does not think on chat completions. */
function mustNotThinkInChat(request: ChatRequest, profile: TargetProfile): boolean {
  if (!request.hasTools || !profile.familyKnown) return false;
  const sent = memberValue(request, 'reasoning_effort');
  const asked = EFFORTS.find((effort) => effort === sent);
  return asked !== 'none' && mustNotThink(asked, profile);
}

/** Chat completions to and from the neutral form. */
export const neutralForm: NeutralForm<ChatRequest> = {
  fieldNames: {
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    seed: 'seed',
    stop: 'stop',
    effort: 'reasoning_effort',
    reasoningTokensMax: 'reasoning.max_tokens',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    format: 'response_format',
    verbosity: 'verbosity',
    userId: 'user',
    cacheKey: 'prompt_cache_key',
    cacheMarks: 'cache_control',
    strictTools: 'tools[].function.strict',
  },
  stopsBeyond,
  mustNotThink: mustNotThinkInChat,
  isRewritten: (request, { outputLimitField }) => {
    // An unknown server may know the older name of the limit alone.
    const hasNewName = request.outputLimitFields.includes('max_completion_tokens');
    return (outputLimitField === null && hasNewName) || hasEmptyContent(request);
  },
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};

/**
 * Reports whether a message with calls has an empty text, which vendors send and do not take back
 * (MoonshotAI/kimi-cli#2621). Weir writes none.
 */
function hasEmptyContent({ bytes }: ChatRequest): boolean {
  const messages = parseOwnObject(bytes)?.['messages'];
  return (
    Array.isArray(messages) &&
    messages.some(
      (message: unknown) =>
        isJsonObject(message) && message['content'] === '' && Array.isArray(message['tool_calls']),
    )
  );
}
