import type { Upstream } from './open-paths.ts';

/** Tokens that every reply here reports. */
export const INPUT_TOKENS = 11;
export const OUTPUT_TOKENS = 7;
export const TEXTS = ['Hello', ' there'] as const;

const ALL = INPUT_TOKENS + OUTPUT_TOKENS;
const OPENAI_USAGE = {
  prompt_tokens: INPUT_TOKENS,
  completion_tokens: OUTPUT_TOKENS,
  total_tokens: ALL,
};
const RESPONSE_USAGE = {
  input_tokens: INPUT_TOKENS,
  output_tokens: OUTPUT_TOKENS,
  total_tokens: ALL,
};
const MESSAGE_USAGE = { input_tokens: INPUT_TOKENS, output_tokens: OUTPUT_TOKENS };
const GEMINI_USAGE = {
  promptTokenCount: INPUT_TOKENS,
  candidatesTokenCount: OUTPUT_TOKENS,
  totalTokenCount: ALL,
};

/** A reply in both forms. */
export interface VendorReply {
  readonly whole: object;
  /** Events without the last. */
  readonly events: readonly string[];
  /** The event that reports the usage alone; '' where the last of the others does. */
  readonly usageEvent: string;
  /** The end mark; '' where there is none. */
  readonly endEvent: string;
  /** The word for a plain end in this protocol. */
  readonly endWord: string;
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function named(value: { readonly type: string }): string {
  return `event: ${value.type}\n${data(value)}`;
}

const DONE = 'data: [DONE]\n\n';
const TEXT = TEXTS.join('');

function chat(endWord: string): VendorReply {
  const frame = { id: 'c1', created: 1, model: 'upstream-name' };
  const chunk = (delta: object, reason: string | null): string =>
    data({
      ...frame,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  const message = { role: 'assistant', content: TEXT };
  return {
    whole: {
      ...frame,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: endWord }],
      usage: OPENAI_USAGE,
    },
    events: [
      chunk({ role: 'assistant', content: TEXTS[0] }, null),
      chunk({ content: TEXTS[1] }, null),
      chunk({}, endWord),
    ],
    usageEvent: data({
      ...frame,
      object: 'chat.completion.chunk',
      choices: [],
      usage: OPENAI_USAGE,
    }),
    endEvent: DONE,
    endWord,
  };
}

function completions(endWord: string): VendorReply {
  const frame = { id: 'c1', object: 'text_completion', created: 1, model: 'upstream-name' };
  const chunk = (text: string, reason: string | null): string =>
    data({ ...frame, choices: [{ index: 0, text, logprobs: null, finish_reason: reason }] });
  return {
    whole: {
      ...frame,
      choices: [{ index: 0, text: TEXT, logprobs: null, finish_reason: endWord }],
      usage: OPENAI_USAGE,
    },
    events: [chunk(TEXTS[0], null), chunk(TEXTS[1], null), chunk('', endWord)],
    usageEvent: data({ ...frame, choices: [], usage: OPENAI_USAGE }),
    endEvent: DONE,
    endWord,
  };
}

function embeddings(): VendorReply {
  const list = [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }];
  const usage = { prompt_tokens: INPUT_TOKENS, total_tokens: INPUT_TOKENS };
  const whole = { object: 'list', data: list, model: 'upstream-name', usage };
  return { whole, events: [data(whole)], usageEvent: '', endEvent: DONE, endWord: '' };
}

function numbered(event: { readonly type: string }, number: number): { readonly type: string } {
  return Object.assign({ sequence_number: number }, event);
}

function responses(): VendorReply {
  const part = { type: 'output_text', text: TEXT, annotations: [] };
  const item = {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [part],
  };
  const frame = {
    id: 'r1',
    object: 'response',
    created_at: 1,
    model: 'upstream-name',
    error: null,
  };
  const begun = { ...frame, status: 'in_progress', output: [], usage: null };
  const whole = { ...frame, status: 'completed', output: [item], usage: RESPONSE_USAGE };
  const place = { item_id: 'm1', output_index: 0, content_index: 0 };
  const empty = { ...item, status: 'in_progress', content: [] };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: empty },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: TEXTS[0] },
    { type: 'response.output_text.delta', ...place, delta: TEXTS[1] },
    { type: 'response.output_text.done', ...place, text: TEXT },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
  ].map((event, index) => named(numbered(event, index)));
  const last = { type: 'response.completed', sequence_number: events.length, response: whole };
  return { whole, events, usageEvent: '', endEvent: named(last), endWord: 'completed' };
}

const USAGE_DELTA = { type: 'message_delta', delta: {}, usage: MESSAGE_USAGE };

function messages(endWord: string): VendorReply {
  const frame = { id: 'msg_1', type: 'message', role: 'assistant', model: 'upstream-name' };
  const started = {
    ...frame,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: INPUT_TOKENS, output_tokens: 1 },
  };
  const delta = { stop_reason: endWord, stop_sequence: null };
  const text = (piece: string) => ({ type: 'text_delta', text: piece });
  return {
    whole: {
      ...frame,
      content: [{ type: 'text', text: TEXT }],
      ...delta,
      usage: MESSAGE_USAGE,
    },
    events: [
      { type: 'message_start', message: started },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: text(TEXTS[0]) },
      { type: 'content_block_delta', index: 0, delta: text(TEXTS[1]) },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta },
    ].map(named),
    usageEvent: named(USAGE_DELTA),
    endEvent: named({ type: 'message_stop' }),
    endWord,
  };
}

function gemini(endWord: string): VendorReply {
  const frame = { modelVersion: 'upstream-name', responseId: 'g1' };
  const chunk = (text: string, more: object = {}) => ({
    ...frame,
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
  });
  const ending = { finishReason: endWord };
  return {
    whole: { ...chunk(TEXT, ending), usageMetadata: GEMINI_USAGE },
    events: [data(chunk(TEXTS[0])), data(chunk(TEXTS[1])), data(chunk('', ending))],
    usageEvent: data({ ...frame, usageMetadata: GEMINI_USAGE }),
    endEvent: '',
    endWord,
  };
}

/** The reply of an upstream that keeps to its protocol, or to all but the word for the end. */
export function vendorReply(upstream: Upstream, endWord?: string): VendorReply {
  switch (upstream) {
    case 'chat':
      return chat(endWord ?? 'stop');
    case 'completions':
      return completions(endWord ?? 'stop');
    case 'embeddings':
      return embeddings();
    case 'responses':
      return responses();
    case 'messages':
      return messages(endWord ?? 'end_turn');
    case 'gemini':
      return gemini(endWord ?? 'STOP');
  }
}

/** All events of a stream. */
export function eventsOf({ events, usageEvent, endEvent }: VendorReply): string[] {
  return [...events, usageEvent, endEvent].filter((event) => event !== '');
}
