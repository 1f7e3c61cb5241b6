/** Replies with an image, as upstreams of each protocol send them. */
import type { ProtocolId } from '../../../../../gateway/protocols/protocol.ts';

export interface Drawn {
  readonly text?: string;
  readonly base64?: string;
  readonly mediaType?: string;
  /** Instead of bytes. */
  readonly url?: string;
}

interface ImageUpstream {
  readonly protocol: ProtocolId;
  /** The place of an image, if the protocol has several. */
  readonly form: string;
  /** Images have an address rather than bytes. */
  readonly hasUrls: boolean;
  whole(drawn: Drawn): object;
  events(drawn: Drawn): string[];
}

const TOKENS = { input: 10, output: 1_290 };

function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

export function urlOf({ base64 = '', mediaType = 'image/png', url }: Drawn): string {
  return url ?? `data:${mediaType};base64,${base64}`;
}

function imageParts(drawn: Drawn): object[] {
  return [{ type: 'image_url', image_url: { url: urlOf(drawn) } }];
}

const CHAT_USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
};

function chat(form: string, fieldsOf: (drawn: Drawn) => Record<string, unknown>[]): ImageUpstream {
  const chunk = (delta: object, reason: string | null = null) =>
    event({ id: 'c', choices: [{ index: 0, delta, finish_reason: reason }] });
  return {
    protocol: 'openai-chat',
    form,
    hasUrls: true,
    whole: (drawn) => {
      const fields = fieldsOf(drawn).flatMap((delta) => Object.entries(delta));
      const message = { role: 'assistant', content: '', ...Object.fromEntries(fields) };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return { id: 'c', object: 'chat.completion', choices, usage: CHAT_USAGE };
    },
    events: (drawn) => [
      ...fieldsOf(drawn).map((delta) => chunk(delta)),
      chunk({}, 'stop'),
      event({ choices: [], usage: CHAT_USAGE }),
      'data: [DONE]\n\n',
    ],
  };
}

const responses: ImageUpstream = {
  protocol: 'openai-responses',
  form: 'image_generation_call',
  hasUrls: false,
  whole: (drawn) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: itemsOf(drawn),
    usage: RESPONSE_USAGE,
  }),
  events: (drawn) => [
    event({ type: 'response.created', response: { id: 'resp_1', output: [] } }),
    ...itemsOf(drawn).flatMap((item, index) => [
      event({
        type: 'response.output_item.added',
        output_index: index,
        item: { id: item['id'], type: item['type'], content: [], status: 'in_progress' },
      }),
      event({
        type: 'response.image_generation_call.partial_image',
        output_index: index,
        partial_image_b64: 'PARTIAL',
      }),
      event({ type: 'response.output_item.done', output_index: index, item }),
    ]),
    event({
      type: 'response.completed',
      response: {
        id: 'resp_1',
        status: 'completed',
        output: itemsOf(drawn),
        usage: RESPONSE_USAGE,
      },
    }),
  ],
};

const RESPONSE_USAGE = {
  input_tokens: TOKENS.input,
  output_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
};

function itemsOf({ text, base64, mediaType = 'image/png' }: Drawn): Record<string, unknown>[] {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const format = mediaType === 'image/png' ? {} : { output_format: mediaType.slice(6) };
  const call = { id: 'ig_1', type: 'image_generation_call', status: 'completed', ...format };
  return [
    ...(text === undefined ? [] : [{ id: 'msg_1', type: 'message', role: 'assistant', content }]),
    { ...call, result: base64 },
  ];
}

const GEMINI_USAGE = {
  promptTokenCount: TOKENS.input,
  candidatesTokenCount: TOKENS.output,
  totalTokenCount: TOKENS.input + TOKENS.output,
};

function geminiChunk(part: object | undefined, reason?: string): object {
  const content = { role: 'model', parts: part === undefined ? [] : [part] };
  return {
    candidates: [{ content, index: 0, finishReason: reason }],
    usageMetadata: GEMINI_USAGE,
    modelVersion: 'm',
  };
}

function geminiParts({ text, base64, mediaType = 'image/png' }: Drawn): object[] {
  return [
    ...(text === undefined ? [] : [{ text }]),
    // A draft, which only a client that asks for thoughts is to see.
    { inlineData: { mimeType: 'image/png', data: 'DRAFT' }, thought: true },
    { inlineData: { mimeType: mediaType, data: base64 } },
  ];
}

const gemini: ImageUpstream = {
  protocol: 'gemini',
  form: 'inlineData',
  hasUrls: false,
  whole: (drawn) => ({
    candidates: [
      { content: { role: 'model', parts: geminiParts(drawn) }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: GEMINI_USAGE,
  }),
  events: (drawn) => [
    ...geminiParts(drawn).map((part) => event(geminiChunk(part))),
    event(geminiChunk(undefined, 'STOP')),
  ],
};

/** Messages are missing: no model of Anthropic's draws. */
export const IMAGE_UPSTREAMS: readonly ImageUpstream[] = [
  chat('images', (drawn) => [
    ...(drawn.text === undefined ? [] : [{ content: drawn.text }]),
    { images: imageParts(drawn) },
  ]),
  chat('content', (drawn) => {
    const text = drawn.text === undefined ? [] : [{ type: 'text', text: drawn.text }];
    return [{ content: [...text, ...imageParts(drawn)] }];
  }),
  responses,
  gemini,
];
