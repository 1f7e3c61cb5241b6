import type { Codec } from '../../protocol.ts';
import { betasInHeader } from '../to-upstream/enclose.ts';
import { encodeRequest } from '../to-upstream/encode-request.ts';
import {
  BETA_HEADER,
  DEFAULT_VERSION,
  VERSION_HEADER,
  type MessagesRequest,
} from '../from-client/parse-request.ts';
import { readMessagesReply } from './messages-reply.ts';
import { messageForms } from './reply-forms.ts';
import { MessagesStream } from './messages-stream.ts';

/** A header with other characters is none of Anthropic's, and must not break the request. */
const PRINTABLE = /^[\x20-\x7e]+$/;

function betaHeader(beta: string): readonly string[] {
  return PRINTABLE.test(beta) ? [BETA_HEADER, beta] : [];
}

/** For upstreams that speak Messages: bytes pass, except for what has to differ. */
export const passThrough: Codec<MessagesRequest> = {
  upstreamProtocol: 'anthropic-messages',
  encode: encodeRequest,
  headers: ({ version, beta }, { envelope }) => [
    ...(envelope === undefined
      ? [VERSION_HEADER, PRINTABLE.test(version) ? version : DEFAULT_VERSION]
      : []),
    ...betaHeader(betasInHeader(beta, envelope)),
  ],
  decode: (body, request, _findFailure, terms) => readMessagesReply(body, request.model, terms),
  forms: messageForms,
  openStream: (request, findFailure, eventBytesMax, terms) =>
    new MessagesStream({
      publicModel: request.model,
      promptTokensEstimate: request.promptTokensEstimate,
      findFailure,
      eventBytesMax,
      fieldPolicy: terms?.fieldPolicy,
    }),
};
