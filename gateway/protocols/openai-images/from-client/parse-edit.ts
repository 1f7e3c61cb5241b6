import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { FormPart } from '../../../platform/multipart/read-multipart.ts';
import { MEDIA_PART_TOKENS_MAX } from '../../../tokens/prompt-upper-bound.ts';
import { estimatePromptTokens } from '../../../tokens/prompt-estimate.ts';
import { checkModel } from '../../fields/field-checks.ts';
import { invalidValue, missing } from '../../fields/field-faults.ts';
import { nameOfList, readForm, textOf, unknownNames } from '../../openai-family/read-form.ts';
import { inputTokensBound } from '../../openai-family/token-input.ts';
import type { RequestHead, RequestLimits } from '../../protocol.ts';
import { variantWord } from '../wire/variant.ts';
import { imagesRequest, IMAGES_MAX, refuseSvg, type ImagesRequest } from './images-request.ts';
import { EDIT_FORM_FIELDS } from './known-fields.ts';

/** OpenAI's limit. */
const EDITED_IMAGES_MAX = 16;
const SINGLE_FIELDS = [
  ...['model', 'prompt', 'n', 'size', 'quality', 'stream', 'output_format', 'mask'],
];
const NO_MEMBERS = { count: 0, tooDeep: false, offsets: [] };

/** Reads a request to edit images that is a form; its files remain in the body. */
export function parseEditForm(
  body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): ImagesRequest | Refusal {
  const form = readForm(body, head, SINGLE_FIELDS);
  if (isRefusal(form)) return form;
  const model = head.pathModel ?? textOf(form, 'model');
  const prompt = textOf(form, 'prompt');
  if (model === undefined) {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (prompt === undefined) {
    return missing('prompt', '"prompt" is missing. Send the description of the image.');
  }
  const files = form.filter(({ name }) => ['image', 'mask', 'markup'].includes(nameOfList(name)));
  const count = Number(textOf(form, 'n') ?? 1);
  const fault = checkModel('model', model, limits) ?? checkFiles(files) ?? checkForm(form, count);
  if (fault !== undefined) return fault;
  const textBytes = body.length - files.reduce((sum, { content }) => sum + content.length, 0);
  const mediaBytes = files.reduce((sum, { size }) => sum + size, 0);
  const textBound = inputTokensBound(textBytes);
  const content = { bodyBytes: textBytes + mediaBytes, mediaParts: files.length, mediaBytes };
  return imagesRequest({
    model,
    count,
    stream: textOf(form, 'stream') === 'true',
    variant: {
      size: variantWord(textOf(form, 'size')),
      quality: variantWord(textOf(form, 'quality')),
    },
    promptTokensBound: textBound + files.length * MEDIA_PART_TOKENS_MAX,
    textTokensBound: textBound,
    promptTokensEstimate: estimatePromptTokens(content),
    withheldFields: unknownNames(form, isKnownEditField),
    bytes: body,
    members: NO_MEMBERS,
    form,
  });
}

/** Reports whether a field of a form goes to upstreams. */
export function isKnownEditField(name: string): boolean {
  return EDIT_FORM_FIELDS.has(nameOfList(name));
}

function checkFiles(files: readonly FormPart[]): Refusal | undefined {
  const images = files.filter(({ name }) => nameOfList(name) === 'image');
  if (images.length === 0) {
    return missing('image', '"image" is missing. Send the image as a file of the form.');
  }
  if (images.length > EDITED_IMAGES_MAX) {
    return invalidValue('image', `The form has more than ${EDITED_IMAGES_MAX} images.`);
  }
  const other = files.find(({ filename, size }) => filename === null || size === 0);
  if (other === undefined) return undefined;
  return invalidValue(other.name, `"${other.name}" must be a file: send it with its file name.`);
}

function checkForm(form: readonly FormPart[], count: number): Refusal | undefined {
  if (!Number.isSafeInteger(count) || count < 1 || count > IMAGES_MAX) {
    return invalidValue('n', `"n" must be a whole number from 1 to ${IMAGES_MAX}.`);
  }
  const stream = textOf(form, 'stream') ?? 'false';
  if (stream !== 'true' && stream !== 'false') {
    return invalidValue('stream', '"stream" must be "true" or "false".');
  }
  const format = textOf(form, 'output_format');
  if (format === 'svg') return refuseSvg('output_format', format);
  return form.some(({ name }) => nameOfList(name) === 'svg') ? refuseSvg('svg', '') : undefined;
}
