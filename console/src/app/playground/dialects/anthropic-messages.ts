import * as Type from 'typebox';
import { Check } from 'typebox/schema';
import type { ChatEvent } from '../chat-events';
import { given, type Dialect } from './dialect';

const TextDelta = Type.Object({
  type: Type.Literal('content_block_delta'),
  delta: Type.Object({ type: Type.Literal('text_delta'), text: Type.String() }),
});

const Count = Type.Optional(Type.Union([Type.Integer(), Type.Null()]));

/** Counts of the prompt come with the start or, translated, with the end. */
const MessageDelta = Type.Object({
  type: Type.Literal('message_delta'),
  delta: Type.Object({ stop_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
  usage: Type.Optional(
    Type.Object({
      input_tokens: Count,
      cache_creation_input_tokens: Count,
      cache_read_input_tokens: Count,
      output_tokens: Type.Integer(),
    }),
  ),
});

const Stop = Type.Object({ type: Type.Literal('message_stop') });

function* events(data: unknown): Generator<ChatEvent> {
  if (Check(TextDelta, data)) {
    if (data.delta.text !== '') yield { kind: 'text', text: data.delta.text };
  } else if (Check(MessageDelta, data)) {
    const { delta, usage } = data;
    if (delta.stop_reason != null) yield { kind: 'finish', reason: delta.stop_reason };
    if (usage?.input_tokens == null) return;
    const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    yield { kind: 'usage', input: usage.input_tokens + cached, output: usage.output_tokens };
  } else if (Check(Stop, data)) yield { kind: 'end' };
}

export const ANTHROPIC_MESSAGES: Dialect = {
  path: () => '/v1/messages',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  body: ({ model, system, turns, parameters, modelOutputTokensMax }) => ({
    model,
    messages: turns,
    stream: true,
    max_tokens: parameters.outputTokensMax ?? modelOutputTokensMax,
    ...given({ system, temperature: parameters.temperature, top_p: parameters.topP }),
  }),
  events,
};
