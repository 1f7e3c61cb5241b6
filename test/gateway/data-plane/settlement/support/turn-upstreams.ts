/** A turn with reasoning, text and calls, in the streams of each protocol's upstreams. */
import type { SpokenByUpstream } from './one-turn.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
  /** The tool's namespace, in protocols that have some. */
  readonly namespace?: string;
}

export interface Turn {
  readonly thought?: string;
  /** The text, piece by piece. */
  readonly pieces?: readonly string[];
  readonly calls?: readonly ToolCall[];
}

type Body = Readonly<Record<string, unknown>>;

/** An upstream of a protocol: what it sends, and where it looks in a request. */
export interface TurnUpstream {
  readonly protocol: SpokenByUpstream;
  /** True if it reports the prompt's tokens before the end. */
  readonly reportsPrompt: boolean;
  events(turn: Turn): string[];
  /** Number of events after the last piece of a text. */
  readonly eventsBehind: number;
  /** The results of calls, by the ids of these. */
  results(body: Body): Readonly<Record<string, unknown>>;
  schema(body: Body): unknown;
  /** Returns an image in a request's JSON. */
  image(base64: string): string;
}

/** Data that only the vendor can verify. */
export const PROOF = 'cHJvb2Ygb2YgYSB0aG91Z2h0Pz4=';

export const USAGE = { input: 1_000, cached: 200, output: 50, reasoning: 20 } as const;

function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function halves(input: object): readonly [string, string] {
  const json = JSON.stringify(input);
  const half = Math.floor(json.length / 2);
  return [json.slice(0, half), json.slice(half)];
}

/** All objects in a value, itself included. */
function objectsIn(value: unknown): Body[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Body, ...Object.values(value).flatMap(objectsIn)];
}

function byId(pairs: readonly (readonly [unknown, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(([id, result]) => [String(id), result]));
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return objectsIn(value)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

function chunk(fields: object): string {
  return event({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields });
}

function delta(fields: object, reason: string | null = null): string {
  return chunk({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
}

const chat: TurnUpstream = {
  protocol: 'openai-chat',
  reportsPrompt: false,
  eventsBehind: 3,
  events: ({ thought, pieces = [], calls = [] }) => [
    ...(thought === undefined ? [] : [delta({ role: 'assistant', reasoning_content: thought })]),
    ...pieces.map((content) => delta({ content })),
    ...calls.map(({ id, name }, index) => {
      const call = { index, id, type: 'function', function: { name, arguments: '' } };
      return delta({ tool_calls: [call] });
    }),
    // In turns: the pieces of parallel calls interleave.
    ...[0, 1].flatMap((half) =>
      calls.map(({ input }, index) =>
        delta({ tool_calls: [{ index, function: { arguments: halves(input)[half] } }] }),
      ),
    ),
    delta({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: USAGE.input,
        completion_tokens: USAGE.output,
        total_tokens: USAGE.input + USAGE.output,
        prompt_tokens_details: { cached_tokens: USAGE.cached },
        completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
      },
    }),
    'data: [DONE]\n\n',
  ],
  results: (body) =>
    byId(
      objectsIn(body['messages'])
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id: id, content }) => [id, textIn(content)]),
    ),
  schema: (body) =>
    objectsIn(body['response_format']).find((found) => 'schema' in found)?.['schema'],
  image: (base64) => `"url":"data:image/png;base64,${base64}"`,
};

function responseItems({ thought, pieces = [], calls = [] }: Turn): [object, string, object][] {
  const text = pieces.join('');
  return [
    ...(thought === undefined
      ? []
      : [
          [
            { type: 'reasoning', id: 'rs_1', summary: [] },
            'summary',
            {
              summary: [{ type: 'summary_text', text: thought }],
              encrypted_content: PROOF,
            },
          ] as [object, string, object],
        ]),
    ...(text === ''
      ? []
      : [
          [
            { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
            'text',
            { content: [{ type: 'output_text', text, annotations: [] }], status: 'completed' },
          ] as [object, string, object],
        ]),
    ...calls.map(({ id, name, namespace, input }): [object, string, object] => [
      {
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: '',
        ...(namespace !== undefined && { namespace }),
      },
      'call',
      { arguments: JSON.stringify(input), status: 'completed' },
    ]),
  ];
}

const responses: TurnUpstream = {
  protocol: 'openai-responses',
  reportsPrompt: false,
  eventsBehind: 4,
  events: (turn) => {
    const { thought = '', pieces = [], calls = [] } = turn;
    const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' };
    const items = responseItems(turn);
    const events: [string, object][] = [
      ['created', { response: { ...head, status: 'in_progress', output: [] } }],
    ];
    let called = 0;
    for (const [at, [begun, kind, end]] of items.entries()) {
      const id = (begun as { readonly id: string }).id;
      const place = { item_id: id, output_index: at };
      events.push(['output_item.added', { output_index: at, item: begun }]);
      if (kind === 'summary') {
        const part = { type: 'summary_text', text: '' };
        const summary = { ...place, summary_index: 0 };
        events.push(
          ['reasoning_summary_part.added', { ...summary, part }],
          ['reasoning_summary_text.delta', { ...summary, delta: thought }],
          ['reasoning_summary_text.done', { ...summary, text: thought }],
          ['reasoning_summary_part.done', { ...summary, part: { ...part, text: thought } }],
        );
      } else if (kind === 'text') {
        const part = { type: 'output_text', text: '', annotations: [] };
        const text = { ...place, content_index: 0 };
        events.push(['content_part.added', { ...text, part }]);
        for (const piece of pieces) events.push(['output_text.delta', { ...text, delta: piece }]);
        const whole = pieces.join('');
        events.push(
          ['output_text.done', { ...text, text: whole }],
          ['content_part.done', { ...text, part: { ...part, text: whole } }],
        );
      } else {
        const { input = {}, name } = calls[called] ?? {};
        called += 1;
        for (const piece of halves(input)) {
          events.push(['function_call_arguments.delta', { ...place, delta: piece }]);
        }
        const done = { ...place, name, arguments: JSON.stringify(input) };
        events.push(['function_call_arguments.done', done]);
      }
      events.push(['output_item.done', { output_index: at, item: { ...begun, ...end } }]);
    }
    const output = items.map(([begun, , end]) => ({ ...begun, ...end }));
    const usage = {
      input_tokens: USAGE.input,
      input_tokens_details: { cached_tokens: USAGE.cached },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: USAGE.reasoning },
      total_tokens: USAGE.input + USAGE.output,
    };
    events.push(['completed', { response: { ...head, status: 'completed', output, usage } }]);
    return events.map(([type, fields], sequence_number) =>
      event({ type: `response.${type}`, sequence_number, ...fields }, `response.${type}`),
    );
  },
  results: (body) =>
    byId(
      objectsIn(body['input'])
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id: id, output }) => [id, textIn(output)]),
    ),
  schema: (body) => objectsIn(body['text']).find((found) => 'schema' in found)?.['schema'],
  image: (base64) => `"image_url":"data:image/png;base64,${base64}"`,
};

const messages: TurnUpstream = {
  protocol: 'anthropic-messages',
  reportsPrompt: true,
  eventsBehind: 3,
  events: ({ thought, pieces = [], calls = [] }) => {
    const usage = {
      input_tokens: USAGE.input - USAGE.cached,
      cache_read_input_tokens: USAGE.cached,
      cache_creation_input_tokens: 0,
    };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
    const events: object[] = [
      {
        type: 'message_start',
        message: { ...message, stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      },
    ];
    let index = 0;
    const block = (begun: object, deltas: readonly object[]): void => {
      events.push({ type: 'content_block_start', index, content_block: begun });
      for (const piece of deltas) events.push({ type: 'content_block_delta', index, delta: piece });
      events.push({ type: 'content_block_stop', index });
      index += 1;
    };
    if (thought !== undefined) {
      block({ type: 'thinking', thinking: '', signature: '' }, [
        { type: 'thinking_delta', thinking: thought },
        { type: 'signature_delta', signature: PROOF },
      ]);
    }
    if (pieces.length > 0) {
      block(
        { type: 'text', text: '' },
        pieces.map((text) => ({ type: 'text_delta', text })),
      );
    }
    for (const { id, name, input } of calls) {
      block(
        { type: 'tool_use', id, name, input: {} },
        halves(input).map((json) => ({ type: 'input_json_delta', partial_json: json })),
      );
    }
    events.push(
      {
        type: 'message_delta',
        delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: USAGE.output },
      },
      { type: 'message_stop' },
    );
    return events.map((fields) => event(fields, (fields as { readonly type: string }).type));
  },
  results: (body) =>
    byId(
      objectsIn(body['messages'])
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id: id, content }) => [id, textIn(content)]),
    ),
  schema: (body) => objectsIn(body['output_config']).find((found) => 'schema' in found)?.['schema'],
  image: (base64) => `"media_type":"image/png","data":"${base64}"`,
};

const gemini: TurnUpstream = {
  protocol: 'gemini',
  reportsPrompt: true,
  eventsBehind: 1,
  events: ({ thought, pieces = [], calls = [] }) => {
    const prompt = { promptTokenCount: USAGE.input, cachedContentTokenCount: USAGE.cached };
    const parts: object[] = [
      ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
      ...pieces.map((text) => ({ text })),
      ...calls.map(({ id, name, input }, index) => ({
        functionCall: { id, name, args: input },
        ...(index === 0 ? { thoughtSignature: PROOF } : {}),
      })),
    ];
    const chunks: object[] = parts.map((part) => ({
      candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }],
      usageMetadata: { ...prompt, totalTokenCount: USAGE.input },
    }));
    chunks.push({
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        ...prompt,
        candidatesTokenCount: USAGE.output - USAGE.reasoning,
        thoughtsTokenCount: USAGE.reasoning,
        totalTokenCount: USAGE.input + USAGE.output,
      },
    });
    return chunks.map((fields) => event({ ...fields, modelVersion: 'm', responseId: 'r' }));
  },
  results: (body) =>
    byId(
      objectsIn(body['contents']).flatMap(({ functionResponse: found }) => {
        const { id, response } = (found ?? {}) as Body;
        const { output, result } = (response ?? {}) as Body;
        return found === undefined ? [] : [[id, output ?? result] as const];
      }),
    ),
  schema: (body) => (body['generationConfig'] as Body | undefined)?.['responseJsonSchema'],
  image: (base64) => `"mimeType":"image/png","data":"${base64}"`,
};

/** Events are the frames of Bedrock's streams, decoded. */
const converse: TurnUpstream = {
  protocol: 'bedrock-converse',
  reportsPrompt: false,
  // The end of the block, that of the message, and the usage.
  eventsBehind: 3,
  events: ({ thought, pieces = [], calls = [] }) => {
    const reasoning = [{ text: thought }, { signature: PROOF }];
    const blocks = [
      ...(thought === undefined
        ? []
        : [{ deltas: reasoning.map((reasoningContent) => ({ reasoningContent })) }]),
      ...(pieces.length === 0 ? [] : [{ deltas: pieces.map((text) => ({ text })) }]),
      ...calls.map(({ id, name, input }) => ({
        start: { toolUse: { toolUseId: id, name } },
        deltas: halves(input).map((half) => ({ toolUse: { input: half } })),
      })),
    ];
    return [
      event({ role: 'assistant' }, 'messageStart'),
      ...blocks.flatMap(({ deltas, ...block }, contentBlockIndex) => [
        ...('start' in block
          ? [event({ contentBlockIndex, start: block.start }, 'contentBlockStart')]
          : []),
        ...deltas.map((piece) => event({ contentBlockIndex, delta: piece }, 'contentBlockDelta')),
        event({ contentBlockIndex }, 'contentBlockStop'),
      ]),
      event({ stopReason: calls.length > 0 ? 'tool_use' : 'end_turn' }, 'messageStop'),
      event(
        {
          usage: {
            inputTokens: USAGE.input - USAGE.cached,
            cacheReadInputTokens: USAGE.cached,
            outputTokens: USAGE.output,
            totalTokens: USAGE.input + USAGE.output,
          },
          metrics: { latencyMs: 1 },
        },
        'metadata',
      ),
    ];
  },
  results: (body) =>
    byId(
      objectsIn(body['messages'])
        .map(({ toolResult }) => (toolResult ?? {}) as Body)
        .filter(({ toolUseId }) => toolUseId !== undefined)
        .map(({ toolUseId, content }) => [toolUseId, textIn(content)]),
    ),
  schema: (body) => {
    const format = objectsIn(body['outputConfig']).find(({ schema }) => typeof schema === 'string');
    return format && (JSON.parse(String(format['schema'])) as unknown);
  },
  image: (base64) => `"image":{"format":"png","source":{"bytes":"${base64}"}}`,
};

export const TURN_UPSTREAMS: readonly TurnUpstream[] = [
  chat,
  responses,
  messages,
  gemini,
  converse,
];
