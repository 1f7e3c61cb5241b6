import * as Type from 'typebox';
import { Check } from 'typebox/schema';
import type { ChatEvent } from '../chat-events';
import { given, type Dialect } from './dialect';

const Part = Type.Object({
  text: Type.Optional(Type.String()),
  thought: Type.Optional(Type.Boolean()),
});

const Chunk = Type.Object({
  candidates: Type.Optional(
    Type.Array(
      Type.Object({
        content: Type.Optional(Type.Object({ parts: Type.Optional(Type.Array(Part)) })),
        finishReason: Type.Optional(Type.String()),
      }),
    ),
  ),
  usageMetadata: Type.Optional(
    Type.Object({
      promptTokenCount: Type.Optional(Type.Integer()),
      candidatesTokenCount: Type.Optional(Type.Integer()),
      thoughtsTokenCount: Type.Optional(Type.Integer()),
    }),
  ),
});

/** A stream of Gemini has no marker: it ends with the chunk that has a reason. */
function* events(data: unknown): Generator<ChatEvent> {
  if (!Check(Chunk, data)) return;
  const [candidate] = data.candidates ?? [];
  const parts = candidate?.content?.parts ?? [];
  const text = parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('');
  if (text !== '') yield { kind: 'text', text };
  const reason = candidate?.finishReason;
  const usage = data.usageMetadata;
  if (reason === undefined || usage === undefined) return;
  yield { kind: 'finish', reason };
  yield {
    kind: 'usage',
    input: usage.promptTokenCount ?? 0,
    output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  };
  yield { kind: 'end' };
}

export const GEMINI: Dialect = {
  path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  headers: (key) => ({ 'x-goog-api-key': key }),
  body: ({ system, turns, parameters }) => ({
    contents: turns.map(({ role, content }) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text: content }],
    })),
    ...given({
      systemInstruction: system === undefined ? undefined : { parts: [{ text: system }] },
    }),
    generationConfig: given({
      temperature: parameters.temperature,
      topP: parameters.topP,
      maxOutputTokens: parameters.outputTokensMax,
    }),
  }),
  events,
};
