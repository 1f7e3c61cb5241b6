import * as Type from 'typebox';
import { Check } from 'typebox/schema';
import type { ChatEvent } from '../chat-events';
import { given, type Dialect } from './dialect';

/**
 * The part of a chunk that the playground reads. Gateways may send more; unknown fields are
 * ignored.
 */
const Chunk = Type.Object({
  choices: Type.Array(
    Type.Object({
      delta: Type.Object({
        content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      finish_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
  usage: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({ prompt_tokens: Type.Integer(), completion_tokens: Type.Integer() }),
    ]),
  ),
});

function* events(data: unknown): Generator<ChatEvent> {
  if (!Check(Chunk, data)) return;
  for (const { delta, finish_reason: reason } of data.choices) {
    const text = delta.content ?? '';
    if (text !== '') yield { kind: 'text', text };
    if (reason != null) yield { kind: 'finish', reason };
  }
  if (data.usage != null) {
    const { prompt_tokens: input, completion_tokens: output } = data.usage;
    yield { kind: 'usage', input, output };
  }
}

export const OPENAI_CHAT: Dialect = {
  path: () => '/v1/chat/completions',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, system, turns, parameters }) => ({
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...turns],
    stream: true,
    stream_options: { include_usage: true },
    ...given({
      temperature: parameters.temperature,
      top_p: parameters.topP,
      max_tokens: parameters.outputTokensMax,
    }),
  }),
  events,
};
