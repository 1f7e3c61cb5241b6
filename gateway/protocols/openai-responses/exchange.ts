import type { ExchangeForm } from '../exchange-form/exchange-form.ts';
import type { ResponsesRequest } from './parse-request.ts';
import { clientContext } from './request/client-context.ts';
import { readReply } from './read-reply.ts';
import { readRequest } from './read-request.ts';
import { readStream } from './read-stream.ts';
import { writeReply } from './write-reply.ts';
import { writeRequest } from './write-request.ts';
import { writeStream } from './write-stream.ts';

/** Responses to and from the neutral form. */
export const exchange: ExchangeForm<ResponsesRequest> = {
  fieldNames: {
    temperature: 'temperature',
    topP: 'top_p',
    effort: 'reasoning.effort',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    format: 'text.format',
    verbosity: 'text.verbosity',
    userId: 'safety_identifier',
    cacheKey: 'prompt_cache_key',
  },
  renamesTools: (request) => clientContext(request).names.renames,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};
