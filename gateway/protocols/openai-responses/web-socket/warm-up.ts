import { responseObject } from '../to-client/render-error.ts';

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

/** Returns the reply to a frame that sends its prompt ahead and generates nothing. */
export function warmUpFrames(id: string, model: string): readonly string[] {
  const createdAtSeconds = Math.floor(Date.now() / 1000);
  const known = { id, createdAtSeconds, model, output: [], usage: NO_USAGE };
  return [
    JSON.stringify({
      type: 'response.created',
      sequence_number: 0,
      response: responseObject({ ...known, usage: null }, 'in_progress'),
    }),
    JSON.stringify({
      type: 'response.completed',
      sequence_number: 1,
      response: responseObject(known, 'completed'),
    }),
  ];
}
