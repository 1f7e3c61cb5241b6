import { rewriteMembers } from '../../../platform/json/rewrite-members.ts';
import { ChunkStream } from '../../openai-family/chunks/chunk-stream.ts';
import { requestEdits } from '../../openai-family/request-edits.ts';
import type { Codec, Encoded, Target } from '../../protocol.ts';
import { echoOf, type CompletionRequest } from '../from-client/parse-request.ts';
import { readCompletions } from './completions-reply.ts';
import { completionForms } from './reply-forms.ts';
import { textFormat } from './text-choice.ts';

/** For upstreams that serve completions: bytes pass, except for what has to differ. */
export const passThrough: Codec<CompletionRequest> = {
  upstreamProtocol: 'openai-completions',
  encode: encodeRequest,
  decode: (body, request, _findFailure, terms) => readCompletions(body, request, terms),
  forms: completionForms,
  openStream: (request, findFailure, eventBytesMax, terms) => {
    const { model: publicModel, includeUsage, completions: choices } = request;
    const { fieldPolicy } = terms ?? {};
    const asked = { publicModel, includeUsage, choices };
    const options = { ...asked, findFailure, eventBytesMax, fieldPolicy };
    return new ChunkStream(
      options,
      textFormat((index) => echoOf(request, index)),
    );
  },
};

/** The client's bytes except for what must differ. A limit always goes up. */
function encodeRequest(request: CompletionRequest, target: Target): Encoded {
  const edits = requestEdits(request, target);
  const imposed = target.outputTokensCap;
  if (imposed !== null || !request.namesLimit) {
    edits.push({ name: 'max_tokens', value: String(imposed ?? request.maxOutputTokens) });
  }
  const { bytes, members } = request;
  return {
    body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
  };
}
