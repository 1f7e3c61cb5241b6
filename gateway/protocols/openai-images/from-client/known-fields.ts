import { shapes } from '../../fields/shape.ts';

/**
 * OpenAI's published fields (`ImageGenerateParams` of its SDK), and those that other vendors
 * document and charge nothing for.
 */
export const IMAGES_FIELDS = shapes(
  `model prompt n size quality style response_format background output_format output_compression
   moderation stream partial_images user safety_identifier complexity frame_count negative_prompt
   seed aspect_ratio resolution watermark guidance_scale prompt_enhancement`,
);

const EDIT_NAMES = `model prompt n size quality background output_format output_compression moderation
  stream partial_images user safety_identifier complexity frame_count input_fidelity response_format`;

/** The same of `ImageEditParams`, where images are JSON. */
export const EDITS_FIELDS = shapes(EDIT_NAMES, [
  ['images', 'any'],
  ['mask', 'any'],
  ['markup', 'any'],
]);

/** The fields of a form, of lists without their brackets. Others stay here. */
export const EDIT_FORM_FIELDS: ReadonlySet<string> = new Set(
  `${EDIT_NAMES} image mask markup`.split(/\s+/),
);
