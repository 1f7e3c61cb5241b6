import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { FormPart } from '../../../platform/multipart/read-multipart.ts';
import { StoredBody, type Base64Content } from '../../../platform/multipart/stored-body.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { nameOfList } from '../../openai-family/read-form.ts';
import type { Drawing, Encoded } from '../../protocol.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';
import { imageShape } from './aspect-ratio.ts';
import { askedFields, editedUrls } from './asked-fields.ts';
import { streamedWhole, wholeReplies } from './whole-replies.ts';

/** Source: Google's page "Image generation with Gemini", 2026-11-28. */
const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
/** The longest side of an image of 1K and of 2K; the first is what is made unless asked. */
const ONE_K_PIXELS_MAX = 1_600;
const TWO_K_PIXELS_MAX = 3_200;
const DATA_URL = /^data:(image\/[a-z+.-]+);base64,(.+)$/s;

/** For Gemini's models that make images. They are asked as a chat of one turn. */
export const toGemini: Drawing<ImagesRequest> = (readReply) => ({
  upstreamProtocol: 'gemini',
  encode: (request) => {
    const asked = askedFields(request);
    if (isRefusal(asked)) return asked;
    const { prompt, count, size, leftOut } = asked;
    if (count > 1) {
      return invalidValue(
        'n',
        'The upstream of this model makes one image at a time. Send several requests.',
      );
    }
    const shape = imageShape(size, RATIOS);
    if (isRefusal(shape)) return shape;
    const { aspectRatio, longSide = 0 } = shape;
    const imageSize = sizeName(longSide);
    const imageConfig = {
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(imageSize === undefined ? {} : { imageSize }),
    };
    const generationConfig = {
      responseModalities: ['IMAGE'],
      ...(aspectRatio === undefined ? {} : { imageConfig }),
    };
    const images = editedImages(request);
    if (isRefusal(images)) return images;
    const written = writeBody({ prompt, images, generationConfig });
    return { ...written, leftOut, ...streamedWhole(request) };
  },
  ...wholeReplies(readReply),
});

function sizeName(longSide: number): string | undefined {
  if (longSide <= ONE_K_PIXELS_MAX) return undefined;
  return longSide <= TWO_K_PIXELS_MAX ? '2K' : '4K';
}

/** An image to be edited: base64, or a content on disk. */
interface EditedImage {
  readonly mimeType: string;
  readonly data: string | Base64Content;
}

function editedImages(request: ImagesRequest): readonly EditedImage[] | Refusal {
  if (!request.isEdit) return [];
  if (request.form !== null) {
    return request.form.filter(({ name }) => nameOfList(name) === 'image').map(imageOfPart);
  }
  const images: EditedImage[] = [];
  for (const [index, url] of editedUrls(request).entries()) {
    const [, mimeType, data] = DATA_URL.exec(url) ?? [];
    if (mimeType === undefined || data === undefined) {
      return invalidValue(
        `images[${index}].image_url`,
        'The upstream of this model reads no addresses. Send the image as a data URL in base64.',
      );
    }
    images.push({ mimeType, data });
  }
  return images;
}

function imageOfPart({ contentType, content, stored }: FormPart): EditedImage {
  const data = stored === null ? content.toString('base64') : { base64: stored };
  return { mimeType: contentType === '' ? 'image/png' : contentType, data };
}

/** Writes the request; images on disk are read when it is sent. */
function writeBody({
  prompt,
  images,
  generationConfig,
}: {
  readonly prompt: string;
  readonly images: readonly EditedImage[];
  readonly generationConfig: object;
}): Pick<Encoded, 'body' | 'storedBody'> {
  const text = JSON.stringify({ text: prompt });
  const pieces: (Buffer | Base64Content)[] = [];
  const put = (json: string): void => void pieces.push(Buffer.from(json));
  put(`{"contents":[{"role":"user","parts":[${text}`);
  for (const { mimeType, data } of images) {
    put(`,{"inlineData":{"mimeType":${JSON.stringify(mimeType)},"data":"`);
    if (typeof data === 'string') put(data);
    else pieces.push(data);
    put('"}}');
  }
  put(`]}],"generationConfig":${JSON.stringify(generationConfig)}}`);
  const body = Buffer.concat(pieces.filter((piece) => Buffer.isBuffer(piece)));
  const isStored = pieces.some((piece) => !Buffer.isBuffer(piece));
  return isStored ? { body, storedBody: new StoredBody(pieces) } : { body };
}
