import { countTokenInput } from '../../openai-family/token-input.ts';

/**
 * Tokens of a completions request's prompts, each counted once, however many completions are asked
 * for. Exact for tokens and for text of OpenAI's models, near for the text of others.
 */
export function countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  return countTokenInput(model, body, ['prompt', 'suffix']);
}
