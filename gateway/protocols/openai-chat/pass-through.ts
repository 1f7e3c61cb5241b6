import type { Codec } from '../protocol.ts';
import { encodeRequest } from './encode-request.ts';
import type { ChatRequest } from './parse-request.ts';
import { readChatReply } from './reply/chat-reply.ts';
import { chatForms } from './reply/other-form.ts';
import { ChatStream } from './stream/chat-stream.ts';

/** For upstreams that speak chat completions: bytes pass, but for what has to differ. */
export const passThrough: Codec<ChatRequest> = {
  upstreamProtocol: 'openai-chat',
  encode: encodeRequest,
  decode: (body, request, _findFailure, terms) => readChatReply(body, request.model, terms),
  forms: chatForms,
  openStream: (request, findFailure, eventBytesMax, terms) =>
    new ChatStream({
      eventBytesMax,
      publicModel: request.model,
      includeUsage: request.includeUsage,
      choices: request.choices,
      findFailure,
      fieldPolicy: terms?.fieldPolicy,
    }),
};
