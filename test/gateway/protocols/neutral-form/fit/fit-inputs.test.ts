import { describe, expect, it } from 'vitest';
import { fitInputs } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-inputs.ts';
import { profileWith } from './support/profile-with.ts';
import { assistant, call, fitted, requestOf, result, results, user } from './support/requests.ts';

function inputSent(input: string, callInputs: 'any' | 'objects' = 'objects'): unknown {
  const conversation = [
    user('Edit it.'),
    assistant('Well', call('1', 'edit', input)),
    results(result('1')),
  ];
  const given = requestOf(conversation);
  const { request } = fitted(fitInputs, given, profileWith({ callInputs }));
  if (request === given) return undefined;
  const [, turn] = request.messages;
  expect([request.messages[0], request.messages[2]]).toEqual([conversation[0], conversation[2]]);
  return turn?.role === 'assistant' && turn.parts[1]?.type === 'tool_call' && turn.parts[1].input;
}

const LONG = `{"text":"${'x'.repeat(10_000)}"}`;

describe('the arguments of an earlier call', () => {
  it.each(['{}', '{"a":1}', ' {"a":{"b":[1]}}\n', LONG, `${LONG}\n`])(
    'stay as they are when they are an object: %#',
    (input) => {
      expect(inputSent(input)).toBeUndefined();
    },
  );

  it.each([
    '{"path":"a.ts","te',
    '{"a":{"b":1}',
    '[1]',
    'null',
    '"text"',
    'ls -l',
    LONG.slice(0, -1),
    `[${LONG}]`,
  ])('become one when they are none: %#', (input) => {
    expect(inputSent(input)).toBe(JSON.stringify({ _raw: input }));
  });

  it.each(['', ' \n'])('become an empty object when they are empty: %#', (input) => {
    expect(inputSent(input)).toBe('{}');
  });

  it('stay as they are where the target reads any text', () => {
    expect(inputSent('{"a', 'any')).toBeUndefined();
  });

  it('of a free-form tool are a text', () => {
    const patch = { ...call('1', 'patch', '*** Begin'), freeForm: true };
    const given = requestOf([user('go'), assistant(patch), results(result('1'))]);
    const { request } = fitted(fitInputs, given, profileWith({ callInputs: 'objects' }));
    expect(request).toBe(given);
  });
});
