import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import type { ChatRequest } from './from-client/parse-request.ts';
import { readReply } from './from-upstream/read-reply.ts';
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
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    format: 'response_format',
    verbosity: 'verbosity',
    userId: 'user',
    cacheKey: 'prompt_cache_key',
  },
  stopsBeyond,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};
