import type { ExchangeForm } from '../exchange-form/exchange-form.ts';
import { DEFAULT_VERSION, VERSION_HEADER, type MessagesRequest } from './parse-request.ts';
import { readReply } from './read-reply.ts';
import { readRequest } from './read-request.ts';
import { readStream } from './read-stream.ts';
import { writeReply } from './write-reply.ts';
import { writeRequest } from './write-request.ts';
import { writeStream } from './write-stream.ts';

/** Messages to and from the neutral form. */
export const exchange: ExchangeForm<MessagesRequest> = {
  fieldNames: {
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    stop: 'stop_sequences',
    effort: 'output_config.effort',
    reasoningTokensMax: 'thinking',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
    format: 'output_config.format',
    userId: 'metadata.user_id',
  },
  readRequest,
  writeRequest,
  upstreamHeaders: [VERSION_HEADER, DEFAULT_VERSION],
  readReply,
  writeReply,
  readStream,
  writeStream,
};
