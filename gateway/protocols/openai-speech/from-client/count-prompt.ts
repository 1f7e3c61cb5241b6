import { countTokenInput } from '../../openai-family/token-input.ts';

/** Tokens of the text that is spoken, and of how it is to be spoken. */
export function countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  return countTokenInput(model, body, ['input', 'instructions']);
}
