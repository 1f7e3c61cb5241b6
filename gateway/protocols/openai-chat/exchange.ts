import type { ExchangeForm } from '../exchange-form/exchange-form.ts';
import type { ChatRequest } from './parse-request.ts';
import { readReply } from './read-reply.ts';
import { mustNotThinkInChat } from './request/must-not-think.ts';
import { stopsBeyond } from './request/stops-beyond.ts';
import { readRequest } from './read-request.ts';
import { readStream } from './read-stream.ts';
import { writeReply } from './write-reply.ts';
import { writeRequest } from './write-request.ts';
import { writeStream } from './write-stream.ts';

/** Chat completions to and from the neutral form. */
export const exchange: ExchangeForm<ChatRequest> = {
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
  mustNotThink: mustNotThinkInChat,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};
