import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { readObject } from '../../../platform/json/read-object.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import { estimatePromptTokens } from '../../../tokens/prompt-estimate.ts';
import { asksForCost } from '../../fields/asks-for-cost.ts';
import { checkModel } from '../../fields/check-model.ts';
import { refuseEscapedNames } from '../../fields/escaped-names.ts';
import { checkBoolean, checkWhole } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { ParsedBody } from '../../fields/parsed-body.ts';
import { findUnknownFields } from '../../fields/unknown-fields.ts';
import { checkFields, fieldRules } from '../../openai-family/check-fields.ts';
import { inputTokensBound } from '../../openai-family/token-input.ts';
import { WITHHELD_FIELDS } from '../../openai-family/withheld-fields.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { variantWord, variantWords, type ImageVariant } from '../wire/variant.ts';
import { IMAGES_FIELDS } from './known-fields.ts';

/** A request for images that passed every check, with the places of its members in the bytes. */
export interface ImagesRequest extends ParsedRequest {
  readonly members: MemberSpans;
  readonly withheldFields: readonly string[];
  /** The size and quality that are asked for. */
  readonly variant: ImageVariant;
}

/** The most images of one request; OpenAI's limit. */
const IMAGES_MAX = 10;
/** The words of a variant: size and quality. */
const VARIANT_WORDS = 2;

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
]);

const NO_METERS: readonly never[] = [];

/** Reads a request for images; `prompt` is all of its prompt. */
export function parseRequest(
  body: Buffer,
  _head: RequestHead,
  limits: RequestLimits,
): ImagesRequest | Refusal {
  const read = readObject(body, limits.jsonDepthMax);
  if (isRefusal(read)) return read;
  const withheldFields = checkFields(read, RULES, limits);
  if (isRefusal(withheldFields)) return withheldFields;
  const escaped = refuseEscapedNames(read, REPLACED_FIELDS);
  if (escaped !== undefined) return escaped;
  const { bytes, members, value } = read;
  const { model, prompt, n } = value;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (typeof prompt !== 'string') {
    return missing('prompt', '"prompt" is missing. Send the description of the image.');
  }
  const count = typeof n === 'number' ? n : 1;
  const variant = { size: variantWord(value['size']), quality: variantWord(value['quality']) };
  const words = variantWords(variant);
  const promptTokensBound = inputTokensBound(bytes.length);
  const content = { bodyBytes: bytes.length, mediaParts: 0, mediaBytes: 0 };
  return {
    model,
    stream: value['stream'] === true,
    // No limit can be imposed on an image.
    maxOutputTokens: Infinity,
    heldInSlices: false,
    meters: NO_METERS,
    units: { meter: 'image', count, variant: { words, open: VARIANT_WORDS - words.length } },
    unknownFields: findUnknownFields(value, read.keys, {
      shapes: IMAGES_FIELDS,
      withheld: withheldFields,
    }),
    conversation: null,
    choices: count,
    promptTokensBound,
    textTokensBound: promptTokensBound,
    promptTokensEstimate: estimatePromptTokens(content),
    hasUnboundedParts: false,
    reportsCost: asksForCost(value),
    withheldFields,
    variant,
    bytes,
    parsed: new ParsedBody(value),
    members,
  };
}

function checkPrompt(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' ? undefined : wrongType(key, 'a string', value);
}

/** The upstream draws SVG with a second model, which has a price of its own. */
function refuseSvg(key: string, value: unknown): Refusal | undefined {
  if (key === 'output_format' && value !== 'svg') return undefined;
  return invalidValue(
    key,
    'SVG is drawn by a second model, which has no price here. Ask for "png", "webp", "jpeg" or "gif" as "output_format", and leave "svg" out.',
  );
}

function refuseCount(key: string): Refusal {
  return invalidValue(key, `Say by "n" how many images are wanted, and leave "${key}" out.`);
}

function refuseSequence(key: string, value: unknown): Refusal | undefined {
  return value === 'disabled' ? undefined : refuseCount(key);
}
