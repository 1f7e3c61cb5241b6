import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { MemberSpans } from '../../../platform/json/scan-members.ts';
import type { FormPart } from '../../../platform/multipart/read-multipart.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import type { ParsedRequest } from '../../protocol.ts';
import { variantWords, type ImageVariant } from '../wire/variant.ts';

/** A request for images that passed every check, with the places of its members in the bytes. */
export interface ImagesRequest extends ParsedRequest {
  readonly members: MemberSpans;
  readonly withheldFields: readonly string[];
  /** The size and quality that are asked for. */
  readonly variant: ImageVariant;
  /** The parts of a request that is a form; null of one that is JSON. */
  readonly form: readonly FormPart[] | null;
  /** Images are edited, not made of nothing. */
  readonly isEdit: boolean;
}

/** The most images of one request; OpenAI's limit. */
export const IMAGES_MAX = 10;
/** The words of a variant: size and quality. */
const VARIANT_WORDS = 2;
/** A large reply passes as it comes. */
const WHOLE_REPLY: NonNullable<ParsedRequest['replyForm']> = {
  ...{ streamContentType: 'application/json', keepAlive: '', breaksOff: true },
};
const NO_METERS: readonly never[] = [];

type Read = Omit<
  ImagesRequest,
  'maxOutputTokens' | 'heldInSlices' | 'meters' | 'units' | 'conversation' | 'choices' | 'isEdit'
> & { readonly count: number; readonly isEdit?: boolean };

/** Completes a request with what all requests for images have. */
export function imagesRequest({
  count,
  isEdit = true,
  ...read
}: Omit<Read, 'hasUnboundedParts'>): ImagesRequest {
  const words = variantWords(read.variant);
  return {
    ...read,
    ...(read.stream ? {} : { replyForm: WHOLE_REPLY }),
    // No limit can be imposed on an image.
    maxOutputTokens: Infinity,
    heldInSlices: false,
    meters: NO_METERS,
    units: { meter: 'image', count, variant: { words, open: VARIANT_WORDS - words.length } },
    conversation: null,
    choices: count,
    hasUnboundedParts: false,
    isEdit,
  };
}

/** The upstream draws SVG with a second model, which has a price of its own. */
export function refuseSvg(key: string, value: unknown): Refusal | undefined {
  if (key === 'output_format' && value !== 'svg') return undefined;
  return invalidValue(
    key,
    'SVG is drawn by a second model, which has no price here. Ask for "png", "webp", "jpeg" or "gif" as "output_format", and leave "svg" out.',
  );
}
