import { expect, it } from 'vitest';
import { readUsage } from '../../../../gateway/protocols/gemini/usage.ts';

const PROMPT = { promptTokenCount: 24_643, candidatesTokenCount: 3_110 };
const IMAGES = [
  { modality: 'TEXT', tokenCount: 2_643 },
  { modality: 'IMAGE', tokenCount: 22_000 },
];

it('counts images that were read from the cache once, if the cache’s kinds are not reported', () => {
  const usage = { ...PROMPT, cachedContentTokenCount: 24_503, promptTokensDetails: IMAGES };
  expect(readUsage(usage)).toMatchObject({ cachedInput: 24_503, extra: { imageInput: 140 } });
});

it('counts the images that were not in the cache, if its kinds are reported', () => {
  const usage = {
    ...{ ...PROMPT, cachedContentTokenCount: 20_000, promptTokensDetails: IMAGES },
    cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 20_000 }],
  };
  expect(readUsage(usage)).toMatchObject({ cachedInput: 20_000, extra: { imageInput: 2_000 } });
});

it('has sound and images within what is not cached, both together', () => {
  const usage = {
    ...{ promptTokenCount: 100, candidatesTokenCount: 1, cachedContentTokenCount: 70 },
    promptTokensDetails: [
      { modality: 'AUDIO', tokenCount: 20 },
      { modality: 'IMAGE', tokenCount: 80 },
    ],
  };
  expect(readUsage(usage)?.extra).toEqual({ audioInput: 20, imageInput: 10 });
});
