import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import type { ChatRequest } from './from-client/parse-request.ts';
import { hasEmptyContent } from './from-client/has-empty-content.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { mustNotThinkInChat } from './from-client/must-not-think.ts';
import { stopsBeyond } from './to-upstream/stops-beyond.ts';
import { readRequest } from './from-client/read-request.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeReply } from './to-client/write-reply.ts';
import { writeRequest } from './to-upstream/write-request.ts';
import { writeStream } from './to-client/write-stream.ts';

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
