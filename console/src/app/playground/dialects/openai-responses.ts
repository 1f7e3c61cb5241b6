import * as Type from 'typebox';
import { Check } from 'typebox/schema';
import type { ChatEvent } from '../chat-events';
import { given, type Dialect } from './dialect';

const TextDelta = Type.Object({
  type: Type.Literal('response.output_text.delta'),
  delta: Type.String(),
});

const End = Type.Object({
  type: Type.Enum(['response.completed', 'response.incomplete']),
  response: Type.Object({
    status: Type.String(),
    usage: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Object({ input_tokens: Type.Integer(), output_tokens: Type.Integer() }),
      ]),
    ),
  }),
});

function* events(data: unknown): Generator<ChatEvent> {
  if (Check(TextDelta, data)) {
    if (data.delta !== '') yield { kind: 'text', text: data.delta };
    return;
  }
  if (!Check(End, data)) return;
  yield { kind: 'finish', reason: data.response.status };
  const { usage } = data.response;
  if (usage != null) {
    yield { kind: 'usage', input: usage.input_tokens, output: usage.output_tokens };
  }
  yield { kind: 'end' };
}

export const OPENAI_RESPONSES: Dialect = {
  path: () => '/v1/responses',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, system, turns, parameters }) => ({
    model,
    input: turns.map(({ role, content }) => ({ type: 'message', role, content })),
    stream: true,
    store: false,
    ...given({
      instructions: system,
      temperature: parameters.temperature,
      top_p: parameters.topP,
      max_output_tokens: parameters.outputTokensMax,
    }),
  }),
  events,
};
