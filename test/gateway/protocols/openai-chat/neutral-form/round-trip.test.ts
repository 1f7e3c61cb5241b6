import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NeutralRequest } from '../../../../../gateway/protocols/neutral-form/request.ts';
import { neutralForm } from '../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import type { TargetProfile } from '../../../../../gateway/protocols/target-profile.ts';
import { ownProfile, targetOf } from '../../../../support/upstreams/target.ts';
import { neutral, written } from './support/neutral-form.ts';

/** OpenAI's models take all there is. */
const MODEL = 'gpt-6-sol';
/** Takes all that chat completions have. */
const PROFILE: TargetProfile = {
  ...ownProfile('openai-chat', MODEL),
  sampling: 'accepted',
  stopSequencesMax: 4,
};

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const image = fc.record({
  type: fc.constant('image_url'),
  image_url: fc.record({
    url: fc.constantFrom('data:image/png;base64,AA==', 'https://example.com/a.png'),
    detail: fc.constantFrom('low', 'high', 'auto', 'original'),
  }),
});
const audio = fc.constant({ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } });
const textPart = fc.record({ type: fc.constant('text'), text });
const content = fc.oneof(
  text,
  // One text alone is a string.
  fc
    .tuple(textPart, fc.oneof(image, audio, textPart), fc.array(fc.oneof(textPart, image)))
    .map(([first, second, others]) => [first, second, ...others]),
);
const callee = fc.oneof(
  fc.record({
    type: fc.constant('function'),
    function: fc.record({ name, arguments: fc.json({ maxDepth: 1 }) }),
  }),
  fc.record({ type: fc.constant('custom'), custom: fc.record({ name, input: text }) }),
);

const plainTurn = fc.record({
  said: text,
  thought: fc.option(text, { nil: undefined }),
});

/** A user's message and what came of it: calls with their results, and an answer. */
const turn = fc
  .record({
    user: content,
    system: fc.option(text, { nil: undefined }),
    calls: fc.array(fc.record({ callee, result: text }), { maxLength: 3 }),
    before: fc.option(text, { nil: undefined }),
    answer: plainTurn,
  })
  .map(({ user, system, calls, before, answer }) => (turnIndex: number): object[] => {
    const id = (index: number): string => `call_${turnIndex}_${index}`;
    const called = calls.map((call, index) => ({ id: id(index), ...call.callee }));
    const calling = { role: 'assistant', content: before ?? null, tool_calls: called };
    const results = calls.map(({ result }, index) => ({
      role: 'tool',
      tool_call_id: id(index),
      content: result,
    }));
    const { said, thought } = answer;
    const reasoning = thought === undefined ? {} : { reasoning_content: thought };
    return [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: user },
      ...(calls.length === 0 ? [] : [calling, ...results]),
      { role: 'assistant', content: said, ...reasoning },
    ];
  });

const conversation = fc
  .array(turn, { minLength: 1, maxLength: 4 })
  .map((turns) => turns.flatMap((make, index) => make(index)));

const settings = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0),
    top_p: fc.constantFrom(0.1, 1),
    presence_penalty: fc.constantFrom(-1, 0.5),
    frequency_penalty: fc.constantFrom(-1, 0.5),
    seed: fc.integer(),
    stop: fc.array(text, { minLength: 1, maxLength: 4 }),
    max_tokens: fc.integer({ min: 1, max: 100_000 }),
    reasoning_effort: fc.constantFrom('low', 'medium', 'high'),
    verbosity: fc.constantFrom('low', 'high'),
    // Digits alone look like a telephone number, and are hashed.
    user: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,19}$/),
    prompt_cache_key: name,
    stream: fc.constant(true),
    response_format: fc.constantFrom(
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
    ),
  },
  { requiredKeys: [] },
);

const tools = fc.record({
  tools: fc
    .uniqueArray(name, { minLength: 1, maxLength: 4 })
    .map((names) =>
      names.map((one, index) =>
        index % 2 === 0
          ? { type: 'function', function: { name: one, parameters: { type: 'object' } } }
          : { type: 'custom', custom: { name: one, description: 'free' } },
      ),
    ),
  tool_choice: fc.constantFrom('auto', 'none', 'required'),
  parallel_tool_calls: fc.boolean(),
});

/** The body without a fit: its messages are in order, and its fields are what the model takes. */
function writtenAsIs(request: NeutralRequest): unknown {
  const target = targetOf({
    upstreamModel: MODEL,
    profile: PROFILE,
    outputLimitField: 'max_tokens',
  });
  return JSON.parse(JSON.stringify(neutralForm.writeRequest(request, target)));
}

describe('a chat request that goes to the neutral form and back', () => {
  it('is the same', () => {
    fc.assert(
      fc.property(
        conversation,
        settings,
        fc.option(tools, { nil: {} }),
        (messages, fields, toolFields) => {
          const request = { messages, ...fields, ...toolFields };
          const usage = 'stream' in fields ? { stream_options: { include_usage: true } } : {};
          expect(writtenAsIs(neutral(request))).toEqual({ model: MODEL, ...request, ...usage });
        },
      ),
    );
  });

  it('is the same however its results were ordered', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.gen(), (calls, random) => {
        const ids = Array.from({ length: calls }, (_, index) => `call_${index}`);
        const tool_calls = ids.map((id) => ({
          id,
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        }));
        const results = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: id }));
        const shuffled = random(() => fc.shuffledSubarray(results, { minLength: calls }));
        const user = { role: 'user', content: 'U' };
        const assistant = { role: 'assistant', content: null, tool_calls };
        expect(written(neutral({ messages: [user, assistant, ...shuffled, user] }))).toEqual({
          model: 'upstream',
          messages: [user, assistant, ...results, user],
        });
      }),
    );
  });
});
