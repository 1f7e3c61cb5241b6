import { describe, expect, it } from 'vitest';
import {
  EVENT_FIELDS as MESSAGE_EVENTS,
  KNOWN_EVENTS,
} from '../../../gateway/protocols/anthropic-messages/from-upstream/known-fields.ts';
import type { Shape, Shapes } from '../../../gateway/protocols/fields/shape.ts';
import {
  EMBED_REPLY_FIELDS,
  GEMINI_REPLY_FIELDS,
} from '../../../gateway/protocols/gemini/from-upstream/known-fields.ts';
import { CHAT_REPLY_FIELDS } from '../../../gateway/protocols/openai-chat/from-upstream/known-fields.ts';
import { COMPLETION_REPLY_FIELDS } from '../../../gateway/protocols/openai-completions/pass-through/known-fields.ts';
import { EMBEDDING_REPLY_FIELDS } from '../../../gateway/protocols/openai-embeddings/pass-through/known-fields.ts';
import {
  EVENT_FIELDS,
  RESPONSE_REPLY_FIELDS,
  STORED_FIELDS,
} from '../../../gateway/protocols/openai-responses/from-upstream/known-fields.ts';
import { Declarations } from './support/declared-members.ts';

/** A type of an SDK, the list that knows its members, and the way to it in the list. */
type Row = readonly [type: string, known: Shapes, path: string];

function shapeAt(known: Shapes, path: string): Shapes {
  let shape: Shape | undefined = known;
  for (const name of path.split('.').filter(Boolean)) {
    shape = typeof shape === 'object' ? shape.get(name) : undefined;
  }
  if (typeof shape !== 'object') throw new Error(`nothing is listed at ${path}`);
  return shape;
}

/** Members of a type that a reply of it would lose. */
function lost(declarations: Declarations, [type, known, path]: Row): string[] {
  const shape = shapeAt(known, path);
  return [...declarations.membersOf(type)].filter((name) => !shape.has(name));
}

const CHAT_TYPES: readonly Row[] = [
  ['ChatCompletion', CHAT_REPLY_FIELDS, ''],
  ['ChatCompletion.Choice', CHAT_REPLY_FIELDS, 'choices'],
  ['ChatCompletionMessage', CHAT_REPLY_FIELDS, 'choices.message'],
  ['ChatCompletionMessageToolCall', CHAT_REPLY_FIELDS, 'choices.message.tool_calls'],
  ['ChatCompletionChunk', CHAT_REPLY_FIELDS, ''],
  ['ChatCompletionChunk.Choice', CHAT_REPLY_FIELDS, 'choices'],
];

const COMPLETION_TYPES: readonly Row[] = [
  ['Completion', COMPLETION_REPLY_FIELDS, ''],
  ['CompletionChoice', COMPLETION_REPLY_FIELDS, 'choices'],
  ['CompletionUsage', COMPLETION_REPLY_FIELDS, 'usage'],
  ['CompletionUsage', CHAT_REPLY_FIELDS, 'usage'],
  ['CompletionUsage.PromptTokensDetails', CHAT_REPLY_FIELDS, 'usage.prompt_tokens_details'],
  ['CompletionUsage.CompletionTokensDetails', CHAT_REPLY_FIELDS, 'usage.completion_tokens_details'],
];

const RESPONSE_TYPES: readonly Row[] = [
  ['Response', RESPONSE_REPLY_FIELDS, ''],
  ['CompactedResponse', RESPONSE_REPLY_FIELDS, ''],
  ['ResponseOutputItem', RESPONSE_REPLY_FIELDS, 'output'],
  ['ResponseItem', STORED_FIELDS, 'data'],
  ['ResponseItem', STORED_FIELDS, ''],
  ['ResponseUsage', RESPONSE_REPLY_FIELDS, 'usage'],
  ['ResponseUsage.InputTokensDetails', RESPONSE_REPLY_FIELDS, 'usage.input_tokens_details'],
  ['ResponseUsage.OutputTokensDetails', RESPONSE_REPLY_FIELDS, 'usage.output_tokens_details'],
  ['ResponseStreamEvent', EVENT_FIELDS, ''],
];

const MESSAGE_TYPES: readonly Row[] = [
  ['BetaRawMessageStreamEvent', MESSAGE_EVENTS, ''],
  ['BetaMessage', MESSAGE_EVENTS, 'message'],
  ['BetaUsage', MESSAGE_EVENTS, 'usage'],
  ['BetaMessageDeltaUsage', MESSAGE_EVENTS, 'usage'],
  ['BetaIterationsUsage', MESSAGE_EVENTS, 'usage.iterations'],
  ['BetaContentBlock', MESSAGE_EVENTS, 'content_block'],
  ['BetaRawContentBlockDelta', MESSAGE_EVENTS, 'delta'],
  ['BetaRawMessageDeltaEvent.Delta', MESSAGE_EVENTS, 'delta'],
];

const GEMINI_TYPES: readonly Row[] = [
  ['GenerateContentResponse', GEMINI_REPLY_FIELDS, ''],
  ['Candidate', GEMINI_REPLY_FIELDS, 'candidates'],
  ['Content', GEMINI_REPLY_FIELDS, 'candidates.content'],
  ['Part', GEMINI_REPLY_FIELDS, 'candidates.content.parts'],
  ['GenerateContentResponseUsageMetadata', GEMINI_REPLY_FIELDS, 'usageMetadata'],
  ['UsageMetadata', GEMINI_REPLY_FIELDS, 'usageMetadata'],
  ['EmbedContentResponse', EMBED_REPLY_FIELDS, ''],
  ['ContentEmbedding', EMBED_REPLY_FIELDS, 'embeddings'],
];

/** Members that Google's SDK itself adds to a reply. */
const OF_THE_SDK = ['sdkHttpResponse', 'automaticFunctionCallingHistory'];

describe.each(['openai', 'openai-6'])('what %s declares of replies passes', (sdk) => {
  const open = (file: string): Declarations => new Declarations(`${sdk}/resources/${file}.d.ts`);

  it('of chat completions, completions and embeddings', () => {
    const chat = open('chat/completions/completions');
    for (const row of CHAT_TYPES) expect(lost(chat, row), row[0]).toEqual([]);
    const delta = chat.membersOf('ChatCompletionChunk.Choice.Delta');
    const listed = shapeAt(CHAT_REPLY_FIELDS, 'choices.delta');
    expect([...delta].filter((name) => !listed.has(name))).toEqual([]);
    const completions = open('completions');
    for (const row of COMPLETION_TYPES) expect(lost(completions, row), row[0]).toEqual([]);
    const embeddings: Row = ['CreateEmbeddingResponse', EMBEDDING_REPLY_FIELDS, ''];
    expect(lost(open('embeddings'), embeddings)).toEqual([]);
  });

  it('of Responses', () => {
    const responses = open('responses/responses');
    for (const row of RESPONSE_TYPES) expect(lost(responses, row), row[0]).toEqual([]);
  });
});

it.each(['@anthropic-ai/sdk', 'anthropic-sdk-0'])('what %s declares of replies passes', (sdk) => {
  const messages = new Declarations(`${sdk}/resources/beta/messages/messages.d.ts`);
  for (const row of MESSAGE_TYPES) {
    // An older one has fewer types.
    if (sdk === '@anthropic-ai/sdk' || messages.has(row[0])) {
      expect(lost(messages, row), row[0]).toEqual([]);
    }
  }
  const events = messages
    .textOf('BetaRawMessageStreamEvent')
    .match(/(?<=[=|] BetaRaw)\w+(?=Event)/g);
  const names = (events ?? []).map((name) => name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase());
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !KNOWN_EVENTS.has(name))).toEqual([]);
});

it.each(['@google/genai', 'google-genai-2'])('what %s declares of replies passes', (sdk) => {
  const gemini = new Declarations(`${sdk}/dist/genai.d.ts`);
  for (const row of GEMINI_TYPES) {
    expect(
      lost(gemini, row).filter((name) => !OF_THE_SDK.includes(name)),
      row[0],
    ).toEqual([]);
  }
});
