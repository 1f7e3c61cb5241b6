import { countTokenInput } from '../../openai-family/token-input.ts';

/** Tokens of the texts of a moderations request, which nothing is billed for. */
export function countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  return countTokenInput(model, body, ['input']);
}
