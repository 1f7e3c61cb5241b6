import { rewriteMembers } from '../../../platform/json/rewrite-members.ts';
import type { FormPart } from '../../../platform/multipart/read-multipart.ts';
import {
  textPart,
  writeMultipart,
  type WrittenForm,
} from '../../../platform/multipart/write-multipart.ts';
import { requestEdits } from '../../openai-family/request-edits.ts';
import type { Codec, Target } from '../../protocol.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { isKnownEditField } from '../from-client/parse-edit.ts';
import { readImages } from './images-reply.ts';
import { ImagesStream } from './images-stream.ts';
import { LargeReply } from './large-reply.ts';
import { editForms, imageForms } from './reply-forms.ts';

/** Images have no options of streams: usage comes unasked, and the field is refused. */
const NO_STREAM_OPTIONS = { streamOptions: null, includeUsage: false, reportsCost: false };

/** For upstreams that serve images: bytes pass, but for what has to differ. */
export const passThrough: Codec<ImagesRequest> = {
  upstreamProtocol: 'openai-images',
  encode: (request, target) => {
    const { bytes, members, form, isEdit } = request;
    const replyCodec = isEdit ? { replyCodec: EDITS } : {};
    if (form !== null) return { ...writeForm(form, target), ...replyCodec };
    const omittedFields = [...target.omittedFields, 'stream_options'];
    const edits = requestEdits({ ...request, ...NO_STREAM_OPTIONS }, { ...target, omittedFields });
    return {
      body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
      ...replyCodec,
    };
  },
  decode: (body, request, _findFailure, terms) => readImages(body, request, terms),
  openLarge: (begin, request, terms) => {
    const isPassing = new LargeReply(request, terms).push(begin).length > 0;
    return isPassing ? new LargeReply(request, terms) : undefined;
  },
  forms: imageForms,
  openStream: (request, findFailure, eventBytesMax) =>
    new ImagesStream(request, findFailure, eventBytesMax),
};

/** Reads the replies of edits, whose events have other names. */
const EDITS: Codec<ImagesRequest> = { ...passThrough, forms: editForms };

/**
 * Writes a form again, with a boundary of its own: an upstream must not find other fields in it
 * than were read here.
 */
function writeForm(
  form: readonly FormPart[],
  { upstreamModel, omittedFields, allocate }: Target,
): WrittenForm {
  const sent = form.filter(
    ({ name }) => isKnownEditField(name) && name !== 'model' && !omittedFields.includes(name),
  );
  return writeMultipart([textPart('model', upstreamModel), ...sent], allocate);
}
