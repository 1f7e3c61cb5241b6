import { shapes } from '../../fields/shape.ts';

/**
 * OpenAI's published fields (`SpeechCreateParams` of its SDK), and those that other vendors
 * document and charge nothing for.
 */
export const SPEECH_FIELDS = shapes(
  `model input instructions response_format speed stream_format language sample_rate seed
   temperature volume pitch emotion`,
  [['voice', 'any']],
);
