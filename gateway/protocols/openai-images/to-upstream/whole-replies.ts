import type { Codec, Drawing, Encoded } from '../../protocol.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { editForms, imageForms } from '../pass-through/reply-forms.ts';
import { imagesReply } from './images-body.ts';

/** Returns the reading half of a codec whose upstream makes images in whole replies alone. */
export function wholeReplies(
  readReply: Parameters<Drawing>[0],
): Pick<Codec<ImagesRequest>, 'decode' | 'forms' | 'openStream'> {
  return {
    decode: (body, request, _findFailure, terms) => imagesReply(readReply(body), request, terms),
    forms: { toStream: () => undefined, toWhole: () => ENDED_EARLY },
    openStream: () => {
      throw new Error('images of this upstream are not streamed');
    },
  };
}

/** Returns how the client's stream is made of the whole reply, where it asks for a stream. */
export function streamedWhole({
  stream,
  isEdit,
}: Pick<ImagesRequest, 'stream' | 'isEdit'>): Pick<Encoded, 'asksWhole' | 'asStream'> {
  if (!stream) return {};
  const forms = isEdit ? editForms : imageForms;
  return { asksWhole: true, asStream: (reply) => forms.toStream(reply) };
}
