import { countTokenInput } from '../../openai-family/token-input.ts';

/**
 * Tokens of all inputs of an embeddings request. Exact for tokens, and for text of OpenAI's models.
 */
export function countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  return countTokenInput(model, body, ['input']);
}
