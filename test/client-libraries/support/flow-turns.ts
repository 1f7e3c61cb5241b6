import type { ModelRequest, Turn } from '../../agent-tools/support/model-upstream.ts';

/** Base64, as vendors send it. */
export const THOUGHT = { text: 'A call tells it.', proof: 'cHJvb2Ygb2YgdGhlIHRob3VnaHQ+Lw==' };

/** The model calls the tool twice at once, and reports when both outputs are there. */
export function callThenReport({ outputs }: ModelRequest): Turn {
  if (outputs.length > 0) return { text: 'All is done.' };
  const calls = [
    { id: 'c1', name: 'look_up', input: { city: 'Rome' } },
    { id: 'c2', name: 'look_up', input: { city: 'Paris' } },
  ];
  return { thought: THOUGHT, text: 'I look.', calls };
}

/** The schema of the structured output. */
export const CITY_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
} as const;
export const CITY = { city: 'Rome', people: 2_750_000 };
export const CITY_TEXT = JSON.stringify(CITY);
