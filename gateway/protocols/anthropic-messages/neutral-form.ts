import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import {
  DEFAULT_VERSION,
  VERSION_HEADER,
  type MessagesRequest,
} from './from-client/parse-request.ts';
import { isRewritten } from './from-client/is-rewritten.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { readRequest } from './from-client/read-request.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeReply } from './to-client/write-reply.ts';
import { writeRequest } from './to-upstream/write-request.ts';
import { writeStream } from './to-client/write-stream.ts';

/** Messages to and from the neutral form. */
export const neutralForm: NeutralForm<MessagesRequest> = {
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
    cacheMarks: 'cache_control',
    strictTools: 'tools[].strict',
  },
  isRewritten,
  readRequest,
  writeRequest,
  upstreamHeaders: [VERSION_HEADER, DEFAULT_VERSION],
  readReply,
  writeReply,
  readStream,
  writeStream,
};
