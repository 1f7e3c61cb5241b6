import type { Codec } from '../../protocol.ts';
import { encodeRequest } from '../to-upstream/encode-request.ts';
import type { ChatRequest } from '../from-client/parse-request.ts';
import { readChatReply } from '../from-upstream/chat-reply.ts';
import { chatForms } from './reply-forms.ts';
import { ChatStream } from './chat-stream.ts';

/** For upstreams that speak chat completions: bytes pass, except for what has to differ. */
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
