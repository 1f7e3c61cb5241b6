import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import type { ResponsesRequest } from './from-client/parse-request.ts';
import { isRewritten } from './from-client/is-rewritten.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { readRequest } from './from-client/read-request.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeReply } from './to-client/write-reply.ts';
import { writeRequest } from './to-upstream/write-request.ts';
import { writeStream } from './to-client/write-stream.ts';

/** Responses to and from the neutral form. */
export const neutralForm: NeutralForm<ResponsesRequest> = {
  fieldNames: {
    messages: 'input',
    logprobs: 'top_logprobs',
    temperature: 'temperature',
    topP: 'top_p',
    effort: 'reasoning.effort',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    format: 'text.format',
    verbosity: 'text.verbosity',
    userId: 'safety_identifier',
    cacheKey: 'prompt_cache_key',
    strictTools: 'tools[].strict',
  },
  isRewritten,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};
