import { encoderFor } from '../../../tokens/encoders.ts';
import { imageTokens } from '../../../tokens/media-tokens.ts';
import { countTexts } from '../../../tokens/text-counter.ts';
import { rereadForm, textOf } from '../../openai-family/read-form.ts';
import { countTokenInput } from '../../openai-family/token-input.ts';

const FORM_BEGINS = '-'.charCodeAt(0);

/** Tokens of the prompt of an image; of a form those of the images that are edited as well. */
export function* countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  if (body[0] !== FORM_BEGINS) return yield* countTokenInput(model, body, ['prompt']);
  const form = rereadForm(body);
  const files = form.filter(({ filename }) => filename !== null).length;
  const text = yield* countTexts(encoderFor(model), [textOf(form, 'prompt') ?? '']);
  return text + files * imageTokens(model, false);
}
