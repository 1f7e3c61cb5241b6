/**
 * What is counted and priced apart from the ordinary tokens of prompt and reply. A model may have a
 * price for each; a request that may be charged for one without a price is refused.
 */
export interface Meter {
  /** As messages name it, such as "web searches". */
  readonly name: string;
  /** Tokens are a part of the prompt or of the output; calls are charged beside them. */
  readonly unit: 'input_tokens' | 'output_tokens' | 'calls';
}

export const METER_IDS = [
  'cacheWrite1h',
  'audioInput',
  'imageInput',
  'audioOutput',
  'imageOutput',
  'webSearch',
] as const;

export type MeterId = (typeof METER_IDS)[number];

export const METERS: Readonly<Record<MeterId, Meter>> = {
  cacheWrite1h: { name: 'cache writes for an hour', unit: 'input_tokens' },
  audioInput: { name: 'audio in the prompt', unit: 'input_tokens' },
  imageInput: { name: 'images in the prompt', unit: 'input_tokens' },
  audioOutput: { name: 'audio in the reply', unit: 'output_tokens' },
  imageOutput: { name: 'images in the reply', unit: 'output_tokens' },
  webSearch: { name: 'web searches', unit: 'calls' },
};
