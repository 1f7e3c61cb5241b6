import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, parseOwnObject } from '../../../platform/json/json-value.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { nameOfList } from '../../openai-family/read-form.ts';
import type { ImagesRequest } from '../from-client/images-request.ts';

/** Fields that are advice, or that describe the client: the image is made without them. */
const ADVICE = `quality style background moderation output_compression output_format partial_images
  user safety_identifier complexity input_fidelity watermark prompt_enhancement`.split(/\s+/);
/** Fields that change what is made, and that Google’s models do not have. */
const REFUSED = ['mask', 'markup', 'frame_count', 'negative_prompt', 'seed', 'resolution'];

/** The fields of a request for images that another protocol carries. */
export interface AskedFields {
  readonly prompt: string;
  readonly count: number;
  readonly size: unknown;
  /** The fields that are left out. */
  readonly leftOut: readonly string[];
}

/** Reads a request for an upstream of Google, or refuses what cannot be carried there. */
export function askedFields(request: ImagesRequest): AskedFields | Refusal {
  const { form, bytes, choices } = request;
  const fields = form === null ? (parseOwnObject(bytes) ?? {}) : formFields(form);
  const isSet = (name: string): boolean => fields[name] !== undefined && fields[name] !== null;
  const refused = REFUSED.find(isSet);
  if (refused !== undefined) {
    return invalidValue(refused, `The upstream of this model has no "${refused}". Leave it out.`);
  }
  if (fields['response_format'] === 'url') {
    return invalidValue(
      'response_format',
      'The upstream of this model sends images in its reply alone. Send "b64_json" as "response_format".',
    );
  }
  const leftOut = ADVICE.filter((name) => isSet(name) && fields[name] !== 'auto');
  return { prompt: String(fields['prompt']), count: choices, size: fields['size'], leftOut };
}

function formFields(form: NonNullable<ImagesRequest['form']>): Record<string, unknown> {
  return Object.fromEntries(
    form.map(({ name, filename, content }) => [
      nameOfList(name),
      filename === null ? content.toString('utf8') : '',
    ]),
  );
}

/** The addresses of the images that a request in JSON has to be edited. */
export function editedUrls({ bytes }: ImagesRequest): readonly string[] {
  const images = parseOwnObject(bytes)?.['images'];
  if (!Array.isArray(images)) return [];
  return images.map((image: unknown) => (isJsonObject(image) ? String(image['image_url']) : ''));
}

/** The request as its upstream serves it: one without qualities is not billed by any. */
export function withoutQuality(request: ImagesRequest): ImagesRequest {
  return { ...request, variant: { ...request.variant, quality: undefined } };
}
