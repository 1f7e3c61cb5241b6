import { isRefusal } from '../../../platform/errors/refusal.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import type { Drawing } from '../../protocol.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { imageShape } from './aspect-ratio.ts';
import { askedFields } from './asked-fields.ts';
import { streamedWhole, wholeReplies } from './whole-replies.ts';

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
      // Otherwise an image that is held back is left out without a word.
      includeRaiReason: true,
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(longSide > ONE_K_PIXELS_MAX ? { sampleImageSize: '2K' } : {}),
    };
    const body = Buffer.from(JSON.stringify({ instances: [{ prompt }], parameters }));
    return { body, leftOut, ...streamedWhole(request) };
  },
  ...wholeReplies(readReply),
});
