import { rewriteMembers } from '../../platform/json/rewrite-members.ts';
import { ChunkStream } from '../openai-family/chunk-stream.ts';
import { requestEdits } from '../openai-family/request-edits.ts';
import type { Codec, Target } from '../protocol.ts';
import { echoOf, type CompletionRequest } from './parse-request.ts';
import { readCompletions } from './reply/completions-reply.ts';
import { TextChoice } from './stream/text-choice.ts';

/** For upstreams that serve completions: bytes pass, but for what has to differ. */
export const passThrough: Codec<CompletionRequest> = {
  upstreamProtocol: 'openai-completions',
  encode: encodeRequest,
  decode: readCompletions,
  openStream: (request, findFailure) => {
    const { model: publicModel, includeUsage, completions: choices } = request;
    return new ChunkStream(
      { publicModel, includeUsage, choices, findFailure },
      {
        object: 'text_completion',
        openChoice: (index) => new TextChoice(echoOf(request, index)),
        ending: () => ({ text: '', logprobs: null }),
      },
    );
  },
};

/** The client's bytes but for what must differ. A limit always goes up. */
function encodeRequest(request: CompletionRequest, target: Target): Buffer {
  const edits = requestEdits(request, target);
  const imposed = target.outputTokensCap;
  if (imposed !== null || !request.namesLimit) {
    edits.push({ name: 'max_tokens', value: String(imposed ?? request.maxOutputTokens) });
  }
  return edits.length === 0
    ? request.bytes
    : rewriteMembers(request.bytes, request.members, edits, target.allocate);
}
