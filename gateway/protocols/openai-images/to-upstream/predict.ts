import { isRefusal } from '../../../platform/errors/refusal.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import type { Drawing } from '../../protocol.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { readImages } from '../pass-through/images-reply.ts';
import { ImagesStream } from '../pass-through/images-stream.ts';
import { imageForms } from '../pass-through/reply-forms.ts';
import { imageShape } from './aspect-ratio.ts';
import { askedFields, withoutQuality } from './asked-fields.ts';
import { imagesBody } from './images-body.ts';

/** Source: Google's page "Generate images using Imagen", 2026-11-28. */
const RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9'];
const IMAGES_MAX = 4;
/** A longer side than this is asked for as 2K. */
const ONE_K_PIXELS_MAX = 1_536;

/** For Imagen, which is asked by `predict` at the Gemini API and at Vertex AI alike. */
export const toPredict: Drawing<ImagesRequest> = (readReply) => ({
  upstreamProtocol: 'vertex-predict',
  encode: (request) => {
    if (request.isEdit) {
      return invalidValue(
        'image',
        'The upstream of this model edits no images. Use another model.',
      );
    }
    const asked = askedFields(request);
    if (isRefusal(asked)) return asked;
    const { prompt, count, size, leftOut } = asked;
    if (count > IMAGES_MAX) {
      return invalidValue('n', `The upstream of this model makes at most ${IMAGES_MAX} images.`);
    }
    const shape = imageShape(size, RATIOS);
    if (isRefusal(shape)) return shape;
    const { aspectRatio, longSide = 0 } = shape;
    const parameters = {
      sampleCount: count,
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(longSide > ONE_K_PIXELS_MAX ? { sampleImageSize: '2K' } : {}),
    };
    const body = Buffer.from(JSON.stringify({ instances: [{ prompt }], parameters }));
    return { body, leftOut, asksWhole: request.stream };
  },
  decode: (body, request, _findFailure, terms) => {
    const images = imagesBody(readReply(body));
    return images && readImages(images, withoutQuality(request), terms);
  },
  forms: {
    toStream: (body) => {
      const images = imagesBody(readReply(body));
      return images && imageForms.toStream(images);
    },
    toWhole: () => ENDED_EARLY,
  },
  openStream: (request, findFailure, eventBytesMax) =>
    new ImagesStream(withoutQuality(request), findFailure, eventBytesMax),
});
