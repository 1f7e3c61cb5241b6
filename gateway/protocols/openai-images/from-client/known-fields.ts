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
