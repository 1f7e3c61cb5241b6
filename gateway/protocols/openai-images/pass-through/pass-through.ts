import { rewriteMembers } from '../../../platform/json/rewrite-members.ts';
import { requestEdits } from '../../openai-family/request-edits.ts';
import type { Codec } from '../../protocol.ts';
import type { ImagesRequest } from '../from-client/parse-request.ts';
import { readImages } from './images-reply.ts';
import { ImagesStream } from './images-stream.ts';
import { imageForms } from './reply-forms.ts';

/** Images have no options of streams: usage comes unasked, and the field is refused. */
const NO_STREAM_OPTIONS = { streamOptions: null, includeUsage: false, reportsCost: false };

/** For upstreams that serve images: bytes pass, but for what has to differ. */
export const passThrough: Codec<ImagesRequest> = {
  upstreamProtocol: 'openai-images',
  encode: (request, target) => {
    const omittedFields = [...target.omittedFields, 'stream_options'];
    const edits = requestEdits({ ...request, ...NO_STREAM_OPTIONS }, { ...target, omittedFields });
    const { bytes, members } = request;
    return {
      body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    };
  },
  decode: (body, request, _findFailure, terms) => readImages(body, request, terms),
  forms: imageForms,
  openStream: (request, findFailure, eventBytesMax) =>
    new ImagesStream(request, findFailure, eventBytesMax),
};
