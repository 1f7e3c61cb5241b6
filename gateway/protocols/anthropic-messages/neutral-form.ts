import { isJsonObject, parseOwnObject, stringOf } from '../../platform/json/json-value.ts';
import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import {
  DEFAULT_VERSION,
  VERSION_HEADER,
  type MessagesRequest,
} from './from-client/parse-request.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { readRequest } from './from-client/read-request.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeReply } from './to-client/write-reply.ts';
import { writeRequest } from './to-upstream/write-request.ts';
import { writeStream } from './to-client/write-stream.ts';

/** Ids of calls that Anthropic's own tools make; it refuses others in `server_tool_use`. */
const SERVER_CALL_ID = /^srvtoolu_\w+$/;

/**
 * Reports whether reading and writing a request changes what Anthropic refuses: results of tools
 * behind other content, although they are all there (anthropics/claude-code#2697), which reading
 * puts first; and calls of hosted tools that another vendor made (Wei-Shaw/sub2api#1308), which
 * reading leaves out.
 */
function isRewritten({ bytes }: MessagesRequest): boolean {
  const messages = parseOwnObject(bytes)?.['messages'];
  return Array.isArray(messages) && messages.some(isChanged);
}

function isChanged(message: unknown): boolean {
  const content = isJsonObject(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return false;
  const blocks = content.filter(isJsonObject);
  const isResult = blocks.map(({ type }) => type === 'tool_result');
  const firstOther = isResult.indexOf(false);
  const hasLateResult = firstOther !== -1 && isResult.includes(true, firstOther);
  return hasLateResult || blocks.some(isForeignCall);
}

function isForeignCall({ type, id }: Readonly<Record<string, unknown>>): boolean {
  return type === 'server_tool_use' && !SERVER_CALL_ID.test(stringOf(id));
}

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
