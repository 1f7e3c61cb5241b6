import { describe, expect, it } from 'vitest';
import { refusedFields } from '../../../../gateway/providers/refusals/refused-fields.ts';

import { OTHERS } from './other-errors.ts';
import { REFUSALS } from './refusal-words.ts';
import { BEHIND_GATEWAYS } from './words-behind-gateways.ts';
import { OF_MODELS } from './words-of-models.ts';

const fieldsOf = (error: unknown): readonly string[] =>
  refusedFields(Buffer.from(typeof error === 'string' ? error : JSON.stringify(error)));

describe('fields that an upstream does not take', () => {
  it.each([...REFUSALS, ...BEHIND_GATEWAYS, ...OF_MODELS])(
    'are read from the words of %s',
    (_name, body, fields) => {
      expect(fieldsOf(body)).toEqual(fields);
    },
  );

  it.each(OTHERS)('are not read from other errors: %s', (_name, body) => {
    expect(fieldsOf(body)).toEqual([]);
  });

  it('are found in any text within a bounded time', () => {
    const name = 'a.'.repeat(2_000);
    for (const text of [
      name,
      `${name}: Extra`,
      `'${name}`,
      'x '.repeat(2_000),
      '[{'.repeat(2_000),
    ]) {
      expect(fieldsOf({ error: { message: text } })).toEqual([]);
    }
  });
});
