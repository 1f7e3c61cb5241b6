import { textPart, writeMultipart } from '../../../platform/multipart/write-multipart.ts';
import type { Codec } from '../../protocol.ts';
import {
  isKnownField,
  type TranscriptFormat,
  type TranscriptionRequest,
} from '../from-client/parse-request.ts';
import { transcriptForms } from './reply-forms.ts';
import { readTranscript } from './transcript-reply.ts';
import { TranscriptStream } from './transcript-stream.ts';

/**
 * The format that upstreams are asked for. Text and subtitles report no usage: they are rendered
 * here from a form that does. Subtitles need segments.
 */
const ASKED_FORMATS: Readonly<Partial<Record<TranscriptFormat, TranscriptFormat>>> = {
  text: 'json',
  srt: 'verbose_json',
  vtt: 'verbose_json',
};

/**
 * For upstreams with OpenAI's paths. The form is always written again, with a boundary of its own:
 * an upstream must not find other fields in it than were read here.
 */
export const passThrough: Codec<TranscriptionRequest> = {
  upstreamProtocol: 'openai-transcriptions',
  encode: (request, { upstreamModel, omittedFields, allocate }) => {
    const { parts, format } = request;
    const asked = ASKED_FORMATS[format];
    const isSent = (name: string): boolean => isKnownField(name) && !omittedFields.includes(name);
    const sent = parts
      .filter(({ name }) => isSent(name) && name !== 'model')
      .filter(({ name }) => asked === undefined || name !== 'response_format');
    const own = [
      textPart('model', upstreamModel),
      ...(asked === undefined ? [] : [textPart('response_format', asked)]),
    ];
    return writeMultipart([...own, ...sent], allocate);
  },
  decode: (body, request) => readTranscript(body, request),
  forms: transcriptForms,
  openStream: (request, findFailure, eventBytesMax) =>
    new TranscriptStream(request, findFailure, eventBytesMax),
};
