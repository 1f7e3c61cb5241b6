/** One turn in the words of each protocol: what clients ask, and what upstreams reply. */

export type Spoken = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';
/** Converse is spoken by upstreams alone. */
export type SpokenByUpstream = Spoken | 'bedrock-converse';

/** `cached`, `write` and `write1h` are parts of `input`, `reasoning` of `output`. */
export interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly write: number;
  readonly write1h: number;
  readonly output: number;
  readonly reasoning: number;
  /** The tier of processing that the upstream reports. */
  readonly tier?: string;
}

interface Client {
  readonly protocol: Spoken;
  request(model: string, stream: boolean, tier?: string): { path: string; body: object };
}

export interface CountingUpstream {
  readonly protocol: SpokenByUpstream;
  reply(counts: Counts): object;
  events(counts: Counts): string[];
}

const TURN = [{ role: 'user', content: 'Hello' }];

export const CLIENTS: readonly Client[] = [
  {
    protocol: 'openai-chat',
    request: (model, stream, tier) => ({
      path: '/v1/chat/completions',
      body: { model, stream, messages: TURN, ...(tier && { service_tier: tier }) },
    }),
  },
  {
    protocol: 'openai-responses',
    request: (model, stream, tier) => ({
      path: '/v1/responses',
      body: { model, stream, store: false, input: 'Hello', ...(tier && { service_tier: tier }) },
    }),
  },
  {
    protocol: 'anthropic-messages',
    request: (model, stream, tier) => ({
      path: '/v1/messages',
      body: { model, stream, max_tokens: 9_000, messages: TURN, ...(tier && { speed: tier }) },
    }),
  },
  {
    protocol: 'gemini',
    request: (model, stream, tier) => ({
      path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        ...(tier && { serviceTier: tier }),
      },
    }),
  },
];

const SAID = 'It is done.';

function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function chatUsage({ input, cached, write, write1h, output, reasoning }: Counts): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: write + write1h },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const chat: CountingUpstream = {
  protocol: 'openai-chat',
  reply: (counts) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    ...(counts.tier && { service_tier: counts.tier }),
    choices: [{ index: 0, message: { role: 'assistant', content: SAID }, finish_reason: 'stop' }],
    usage: chatUsage(counts),
  }),
  events: (counts) => {
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      ...(counts.tier && { service_tier: counts.tier }),
    };
    const delta = { role: 'assistant', content: SAID };
    return [
      event({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }),
      event({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      event({ ...chunk, choices: [], usage: chatUsage(counts) }),
      'data: [DONE]\n\n',
    ];
  },
};

function response(counts: Counts): object {
  const { input, cached, write, write1h, output, reasoning, tier = 'default' } = counts;
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    service_tier: tier,
    error: null,
    incomplete_details: null,
    output: [responseItem()],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: write + write1h },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    },
  };
}

function responseItem(text = SAID): object {
  const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }];
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
}

const responses: CountingUpstream = {
  protocol: 'openai-responses',
  reply: response,
  events: (counts) => {
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [] };
    const started = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] };
    const fields: [string, object][] = [
      [
        'response.created',
        { response: { ...started, status: 'in_progress', service_tier: 'auto' } },
      ],
      ['response.output_item.added', { output_index: 0, item: responseItem('') }],
      ['response.content_part.added', { ...at, part }],
      ['response.output_text.delta', { ...at, delta: SAID }],
      ['response.output_text.done', { ...at, text: SAID }],
      ['response.content_part.done', { ...at, part: { ...part, text: SAID } }],
      ['response.output_item.done', { output_index: 0, item: responseItem() }],
      ['response.completed', { response: response(counts) }],
    ];
    return fields.map(([type, rest], index) =>
      event({ type, sequence_number: index, ...rest }, type),
    );
  },
};

function messagesUsage({ input, cached, write, write1h, output, tier }: Counts): object {
  return {
    input_tokens: input - cached - write - write1h,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: write + write1h,
    cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: write1h },
    output_tokens: output,
    service_tier: 'standard',
    speed: tier ?? 'standard',
  };
}

const messages: CountingUpstream = {
  protocol: 'anthropic-messages',
  reply: (counts) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: SAID }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: messagesUsage(counts),
  }),
  events: (counts) => {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
    const usage = messagesUsage({ ...counts, output: 1 });
    const events: [string, object][] = [
      ['message_start', { message: { ...message, stop_reason: null, usage } }],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: SAID } }],
      ['content_block_stop', { index: 0 }],
      [
        'message_delta',
        { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: counts.output } },
      ],
      ['message_stop', {}],
    ];
    return events.map(([type, rest]) => event({ type, ...rest }, type));
  },
};

function generated({ input, cached, output, reasoning, tier }: Counts): object {
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text: SAID }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + output,
      ...(tier && { serviceTier: tier }),
    },
    modelVersion: 'm',
    responseId: 'r',
  };
}

const gemini: CountingUpstream = {
  protocol: 'gemini',
  reply: generated,
  events: (counts) => [event(generated(counts))],
};

/** Vertex AI names the tier as a kind of traffic. */
export const VERTEX_GEMINI: CountingUpstream = {
  protocol: 'gemini',
  reply: (counts) => asTraffic(generated(counts)),
  events: (counts) => [event(asTraffic(generated(counts)))],
};

function asTraffic(reply: object): object {
  const { usageMetadata, ...rest } = reply as { usageMetadata: { serviceTier?: string } };
  const { serviceTier, ...usage } = usageMetadata;
  const trafficType =
    serviceTier === undefined ? 'ON_DEMAND' : `ON_DEMAND_${serviceTier.toUpperCase()}`;
  return { ...rest, usageMetadata: { ...usage, trafficType } };
}

function conversed({ input, cached, write, write1h, output, tier }: Counts): object {
  return {
    usage: {
      inputTokens: input - cached - write - write1h,
      outputTokens: output,
      totalTokens: input + output,
      cacheReadInputTokens: cached,
      cacheWriteInputTokens: write + write1h,
      cacheDetails: [
        { ttl: '1h', inputTokens: write1h },
        { ttl: '5m', inputTokens: write },
      ],
    },
    metrics: { latencyMs: 1 },
    serviceTier: { type: tier ?? 'default' },
  };
}

const converse: CountingUpstream = {
  protocol: 'bedrock-converse',
  reply: (counts) => ({
    output: { message: { role: 'assistant', content: [{ text: SAID }] } },
    stopReason: 'end_turn',
    ...conversed(counts),
  }),
  events: (counts) => [
    event({ role: 'assistant' }, 'messageStart'),
    event({ contentBlockIndex: 0, delta: { text: SAID } }, 'contentBlockDelta'),
    event({ contentBlockIndex: 0 }, 'contentBlockStop'),
    event({ stopReason: 'end_turn' }, 'messageStop'),
    event(conversed(counts), 'metadata'),
  ],
};

export const UPSTREAMS: readonly CountingUpstream[] = [chat, responses, messages, gemini, converse];
