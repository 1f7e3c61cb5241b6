import { expect, it } from 'vitest';
import { readUsage } from '../../../../gateway/protocols/openai-family/usage.ts';
import { readImages } from '../../../../gateway/protocols/openai-images/pass-through/images-reply.ts';
import type { ImagesRequest } from '../../../../gateway/protocols/openai-images/from-client/images-request.ts';

const asked = (variant: object) => ({ model: 'm', variant }) as ImagesRequest;
const bytesOf = (reply: object) => Buffer.from(JSON.stringify(reply));
const IMAGE = { b64_json: 'QUJD' };
const USAGE = { input_tokens: 50, output_tokens: 196, total_tokens: 246 };

it('bills the images that were made, not those that were asked for', () => {
  const reply = readImages(bytesOf({ created: 1, data: [IMAGE] }), asked({ size: '1024x1024' }));
  expect(reply?.countDelivered().extra).toMatchObject({ image: 1, variant: '1024x1024' });
});

it('bills `auto` as the quality and the size that the upstream has chosen', () => {
  const made = { created: 1, data: [IMAGE], quality: 'high', size: '1536x1024', usage: USAGE };
  const reply = readImages(bytesOf(made), asked({ size: 'auto', quality: 'auto' }));
  expect(reply?.usage?.extra).toMatchObject({ image: 1, variant: '1536x1024 high' });
});

it('bills all output as tokens of images, where no details are reported', () => {
  const reply = readImages(bytesOf({ created: 1, data: [IMAGE], usage: USAGE }), asked({}));
  expect(reply?.usage).toMatchObject({ output: 196, extra: { imageOutput: 196 } });
});

it('bills the images of a chat at their price, where all text of the reply is reasoning', () => {
  const usage = {
    ...{ prompt_tokens: 10, completion_tokens: 1_345, total_tokens: 1_355 },
    completion_tokens_details: { reasoning_tokens: 225, text_tokens: 0, image_tokens: 1_120 },
  };
  expect(readUsage(usage)).toMatchObject({
    ...{ output: 1_345, reasoning: 225 },
    extra: { imageOutput: 1_120 },
  });
});
