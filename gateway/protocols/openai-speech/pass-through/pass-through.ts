import { rewriteMembers } from '../../../platform/json/rewrite-members.ts';
import { requestEdits } from '../../openai-family/request-edits.ts';
import type { Codec } from '../../protocol.ts';
import type { SpeechRequest } from '../from-client/parse-request.ts';
import { speechForms } from './reply-forms.ts';
import { SpeechStream } from './speech-stream.ts';

const STREAM_FORMAT = 'stream_format';
/** Speech has no options of streams. */
const NO_STREAM_OPTIONS = { streamOptions: null, includeUsage: false, reportsCost: false };

/** OpenAI's models that report usage, and in events alone. Others refuse or ignore the field. */
const REPORTS_IN_EVENTS = /^(?:[\w.-]+\/)?gpt-[\w.-]*tts/i;

/**
 * For upstreams with OpenAI's paths. What the client reads does not depend on what the upstream
 * sends: events are asked for where they alone report usage.
 */
export const passThrough: Codec<SpeechRequest> = {
  upstreamProtocol: 'openai-speech',
  encode: (request, target) => {
    const omittedFields = [...target.omittedFields, 'stream_options'];
    const edits = requestEdits({ ...request, ...NO_STREAM_OPTIONS }, { ...target, omittedFields });
    const asksForEvents =
      !request.asksForEvents &&
      REPORTS_IN_EVENTS.test(target.upstreamModel) &&
      !omittedFields.includes(STREAM_FORMAT);
    if (asksForEvents) edits.push({ name: STREAM_FORMAT, value: '"sse"' });
    const { bytes, members } = request;
    return {
      body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    };
  },
  decode: () => undefined,
  forms: speechForms,
  openStream: (request, findFailure, eventBytesMax) =>
    new SpeechStream(request, findFailure, eventBytesMax),
};
