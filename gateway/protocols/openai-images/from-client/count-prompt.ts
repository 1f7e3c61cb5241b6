import { countTokenInput } from '../../openai-family/token-input.ts';

/** Tokens of the prompt of an image. */
export function countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  return countTokenInput(model, body, ['prompt']);
}
