import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import { isMultipart } from '../../../platform/multipart/read-boundary.ts';
import { estimatePromptTokens } from '../../../tokens/prompt-estimate.ts';
import { MEDIA_PART_TOKENS_MAX } from '../../../tokens/prompt-upper-bound.ts';
import { asksForCost } from '../../fields/asks-for-cost.ts';
import { checkBoolean, checkModel, checkWhole } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { fieldRules, readFields } from '../../openai-family/check-fields.ts';
import { inputTokensBound } from '../../openai-family/token-input.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';
import type { RequestHead, RequestLimits } from '../../protocol.ts';
import { variantWord } from '../wire/variant.ts';
import { imagesRequest, IMAGES_MAX, refuseSvg, type ImagesRequest } from './images-request.ts';
import { EDITS_FIELDS, IMAGES_FIELDS } from './known-fields.ts';
import { parseEditForm } from './parse-edit.ts';

/** Images that are edited. OpenAI's limit. */
const EDITED_IMAGES_MAX = 16;

const REPLACED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream_options',
  ...WITHHELD_FIELDS,
]);

const RULES = fieldRules([
  ['model', checkModel],
  ['prompt', checkPrompt],
  ['n', (key, value) => checkWhole(key, value, IMAGES_MAX)],
  ['stream', checkBoolean],
  ['output_format', refuseSvg],
  ['svg', refuseSvg],
  // Fields of other vendors that make more images than `n`, which is what is held for.
  ['batch_size', refuseCount],
  ['num_images', refuseCount],
  ['num_outputs', refuseCount],
  ['sequential_image_generation', refuseSequence],
  ['images', checkEdited],
]);

/** Reads a request for images; `prompt` is all of its prompt. */
export function parseRequest(
  body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): ImagesRequest | Refusal {
  const isEdit = head.endpoint.operation === 'edit';
  if (isEdit && isMultipart(head.headers['content-type'] ?? '')) {
    return parseEditForm(body, head, limits);
  }
  const read = readFields(body, { rules: RULES, replaced: REPLACED_FIELDS }, limits);
  if (isRefusal(read)) return read;
  const { bytes, members, value, withheldFields } = read;
  const { model, prompt, n } = value;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (typeof prompt !== 'string') {
    return missing('prompt', '"prompt" is missing. Send the description of the image.');
  }
  const edited: readonly unknown[] =
    isEdit && Array.isArray(value['images']) ? value['images'] : [];
  if (isEdit && edited.length === 0) {
    return missing('images', '"images" is missing. Send a list of objects with "image_url".');
  }
  const mediaParts = edited.length + (isEdit && isJsonObject(value['mask']) ? 1 : 0);
  const mediaBytes = mediaParts === 0 ? 0 : dataBytes([...edited, value['mask']]);
  const textTokensBound = inputTokensBound(bytes.length - mediaBytes);
  return imagesRequest({
    model,
    count: typeof n === 'number' ? n : 1,
    stream: value['stream'] === true,
    variant: { size: variantWord(value['size']), quality: variantWord(value['quality']) },
    unknownFields: findUnknownFields(value, read.keys, {
      shapes: isEdit ? EDITS_FIELDS : IMAGES_FIELDS,
      withheld: withheldFields,
    }),
    promptTokensBound: textTokensBound + mediaParts * MEDIA_PART_TOKENS_MAX,
    textTokensBound,
    promptTokensEstimate: estimatePromptTokens({ bodyBytes: bytes.length, mediaParts, mediaBytes }),
    reportsCost: asksForCost(value),
    withheldFields,
    bytes,
    parsed: new ParsedBody(value),
    members,
    form: null,
    isEdit,
  });
}

/** Bytes of images that are in the body: they say nothing about their tokens. */
function dataBytes(images: readonly unknown[]): number {
  return images
    .map((image) => (isJsonObject(image) ? image['image_url'] : undefined))
    .filter((url) => typeof url === 'string' && url.startsWith('data:'))
    .reduce<number>((sum, url) => sum + String(url).length, 0);
}

function checkEdited(key: string, value: unknown): Refusal | undefined {
  if (!Array.isArray(value)) return wrongType(key, 'an array of objects', value);
  if (value.length > EDITED_IMAGES_MAX) {
    return invalidValue(key, `"${key}" has more than ${EDITED_IMAGES_MAX} images.`);
  }
  const hasUrl = (image: unknown): boolean =>
    isJsonObject(image) && typeof image['image_url'] === 'string';
  if (value.every(hasUrl)) return undefined;
  return invalidValue(
    key,
    `Each of "${key}" must be an object with "image_url". Files by their id are kept by the upstream, not here.`,
  );
}

function checkPrompt(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' ? undefined : wrongType(key, 'a string', value);
}

function refuseCount(key: string): Refusal {
  return invalidValue(key, `Say by "n" how many images are wanted, and leave "${key}" out.`);
}

function refuseSequence(key: string, value: unknown): Refusal | undefined {
  return value === 'disabled' ? undefined : refuseCount(key);
}
