/**
 * The end of a choice is not the end of its content, and a zero does not erase what was reported:
 * some upstreams give a finish reason with each chunk, or report zeros last.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamedText } from '../../../support/clients/streamed-text.ts';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { CLIENTS, type Spoken } from './support/one-turn.ts';
import { openCells, type Cells } from './support/open-cells.ts';

const PER_MILLION = 1_000_000;
/** In nanodollars a token. */
const PRICES = [4_000, 200, 5_000, 20_000].map((price) => price * PER_MILLION);

let cells: Cells;

beforeAll(async () => {
  cells = await openCells((pool) =>
    pool.query(
      `update prices set input_nano_usd = $1, cached_input_nano_usd = $2,
         cache_write_nano_usd = $3, output_nano_usd = $4`,
      PRICES,
    ),
  );
});

afterAll(() => cells.close());

function event(data: object): string {
  const type = 'type' in data ? `event: ${String(data.type)}\n` : '';
  return `${type}data: ${JSON.stringify(data)}\n\n`;
}

function gemini(text: string, finishReason: string | undefined, usage: object): string {
  const content = { role: 'model', parts: [{ text }] };
  const candidates = [{ content, finishReason, index: 0 }];
  return event({ candidates, usageMetadata: usage, modelVersion: 'm', responseId: 'r' });
}

function chat(content: string, reason: string | null, usage?: object): string {
  const delta = content === '' ? {} : { content };
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices,
    usage,
  });
}

function chatUsage(usage: object): string {
  return event({ id: 'c', object: 'chat.completion.chunk', created: 1, choices: [], usage });
}

function messages(start: object, blocks: readonly string[], deltas: readonly object[]): string[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
  return [
    event({ type: 'message_start', message: { ...message, stop_reason: null, usage: start } }),
    ...blocks,
    ...deltas.map((usage) =>
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
    ),
    event({ type: 'message_stop' }),
  ];
}

function block(index: number, text: string): string {
  return (
    event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }) +
    event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }) +
    event({ type: 'content_block_stop', index })
  );
}

function responses(usage: object, early?: object): string[] {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const content = [{ type: 'output_text', text: 'ABC', annotations: [] }];
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', error: null };
  return [
    event({ type: 'response.created', response: { ...response, output: [], usage: early } }),
    event({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }),
    event({ type: 'response.output_text.delta', ...at, delta: 'ABC' }),
    event({ type: 'response.output_item.done', output_index: 0, item }),
    event({
      type: 'response.completed',
      response: { ...response, status: 'completed', output: [item], usage },
    }),
  ];
}

/** The cost of a prompt of 6,700 tokens, of which 5,000 were read from a cache and 700 written. */
const CACHED = 1_000 * 4_000 + 5_000 * 200 + 700 * 5_000;
const OUTPUT = 5 * 20_000;
const CLAUDE = {
  input_tokens: 1_000,
  cache_read_input_tokens: 5_000,
  cache_creation_input_tokens: 700,
};
const ZEROS = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const CHAT = {
  prompt_tokens: 6_700,
  completion_tokens: 5,
  total_tokens: 6_705,
  prompt_tokens_details: { cached_tokens: 5_000, cache_write_tokens: 700 },
};
const RESPONSES = {
  input_tokens: 6_700,
  input_tokens_details: { cached_tokens: 5_000, cache_write_tokens: 700 },
  output_tokens: 5,
  total_tokens: 6_705,
};
const GEMINI = {
  promptTokenCount: 6_700,
  cachedContentTokenCount: 5_000,
  candidatesTokenCount: 5,
  totalTokenCount: 6_705,
};
const GEMINI_CACHED = 1_700 * 4_000 + 5_000 * 200;
const DONE = 'data: [DONE]\n\n';

interface Stream {
  readonly what: string;
  readonly served: Spoken;
  readonly events: readonly string[];
  readonly cost: number;
}

const ENDS: readonly Stream[] = [
  {
    what: 'a finishReason with each chunk',
    served: 'gemini',
    events: [
      gemini('A', 'STOP', { ...GEMINI, candidatesTokenCount: 1, totalTokenCount: 6_701 }),
      gemini('B', 'STOP', { ...GEMINI, candidatesTokenCount: 3, totalTokenCount: 6_703 }),
      gemini('C', 'STOP', GEMINI),
    ],
    cost: GEMINI_CACHED + OUTPUT,
  },
  {
    what: 'content behind its finishReason, and usage behind that',
    served: 'gemini',
    events: [
      gemini('A', undefined, {}),
      gemini('', 'STOP', {}),
      gemini('B', undefined, {}),
      gemini('C', undefined, {}),
      event({ usageMetadata: GEMINI }),
    ],
    cost: GEMINI_CACHED + OUTPUT,
  },
  {
    what: 'a finish_reason with each chunk',
    served: 'openai-chat',
    events: [chat('A', 'stop'), chat('B', 'stop'), chat('C', 'stop'), chatUsage(CHAT), DONE],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'content behind its finish_reason, and usage with it',
    served: 'openai-chat',
    events: [chat('A', null), chat('', 'stop'), chat('B', null), chat('C', null, CHAT), DONE],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'a finish_reason with each chunk and no end mark',
    served: 'openai-chat',
    events: [chat('A', 'stop'), chat('B', 'stop'), chat('C', 'stop', CHAT)],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'a stop_reason between its blocks',
    served: 'anthropic-messages',
    events: messages(
      CLAUDE,
      [
        block(0, 'A'),
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} }),
        block(1, 'B'),
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} }),
        block(2, 'C'),
      ],
      [{ output_tokens: 5 }],
    ),
    cost: CACHED + OUTPUT,
  },
];

const REPORTS: readonly Stream[] = [
  {
    what: 'zeros of the prompt last',
    served: 'anthropic-messages',
    events: messages(CLAUDE, [block(0, 'ABC')], [{ ...ZEROS, output_tokens: 5 }]),
    cost: CACHED + OUTPUT,
  },
  {
    what: 'zeros of the prompt twice',
    served: 'anthropic-messages',
    events: messages(
      CLAUDE,
      [block(0, 'ABC')],
      [
        { ...ZEROS, output_tokens: 5 },
        { ...ZEROS, output_tokens: 0 },
      ],
    ),
    cost: CACHED + OUTPUT,
  },
  {
    what: 'zeros of the prompt first',
    served: 'anthropic-messages',
    events: messages(
      { ...ZEROS, output_tokens: 0 },
      [block(0, 'ABC')],
      [{ ...CLAUDE, output_tokens: 5 }],
    ),
    cost: CACHED + OUTPUT,
  },
  {
    what: 'zeros of the cache last',
    served: 'anthropic-messages',
    events: messages(
      CLAUDE,
      [block(0, 'ABC')],
      [{ ...ZEROS, input_tokens: 1_000, output_tokens: 5 }],
    ),
    cost: CACHED + OUTPUT,
  },
  {
    what: 'usage with each chunk and zeros last',
    served: 'openai-chat',
    events: [
      chat('AB', null, { ...CHAT, completion_tokens: 3, total_tokens: 6_703 }),
      chat('C', 'stop', CHAT),
      chatUsage({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
      DONE,
    ],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'the prompt first and the completion alone last',
    served: 'openai-chat',
    events: [
      chat('ABC', null, { ...CHAT, completion_tokens: 0, total_tokens: 6_700 }),
      chat('', 'stop', { prompt_tokens: 0, completion_tokens: 5, total_tokens: 5 }),
      DONE,
    ],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'null behind its usage',
    served: 'openai-chat',
    events: [
      chat('ABC', 'stop', CHAT),
      event({ id: 'c', object: 'chat.completion.chunk', choices: [], usage: null }),
      DONE,
    ],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'what it read from a cache in the report before the last alone',
    served: 'openai-chat',
    events: [
      chat('ABC', 'stop', CHAT),
      chatUsage({ prompt_tokens: 6_700, completion_tokens: 5, total_tokens: 6_705 }),
      DONE,
    ],
    cost: CACHED + OUTPUT,
  },
  {
    what: 'the prompt first and the output alone last',
    served: 'gemini',
    events: [
      gemini('A', undefined, { promptTokenCount: 6_700, cachedContentTokenCount: 5_000 }),
      gemini('BC', 'STOP', { candidatesTokenCount: 5, totalTokenCount: 5 }),
    ],
    cost: GEMINI_CACHED + OUTPUT,
  },
  {
    what: 'zeros behind its usage',
    served: 'gemini',
    events: [
      gemini('ABC', 'STOP', GEMINI),
      event({ usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0 } }),
    ],
    cost: GEMINI_CACHED + OUTPUT,
  },
  {
    what: 'the prompt with its first event and zeros of it last',
    served: 'openai-responses',
    events: responses(
      { input_tokens: 0, output_tokens: 5, total_tokens: 5 },
      { ...RESPONSES, output_tokens: 0, total_tokens: 6_700 },
    ),
    cost: CACHED + OUTPUT,
  },
];

async function ask(client: Spoken, { served, events, cost }: Stream): Promise<void> {
  cells.upstream.reply = { events };
  const asks = CLIENTS.find(({ protocol }) => protocol === client);
  if (asks === undefined) throw new Error('no such client');
  const { path, body } = asks.request(`on-${served}`, true);
  const reply = await fetch(cells.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${cells.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect({ status: reply.status, text: streamedText(client, text) }, text).toEqual({
    status: 200,
    text: 'ABC',
  });
  const charged = await cells.charged();
  const { rows } = await cells.pool.query(
    `select cost_nano_usd as cost, estimated, status from usage_records
     order by created_at desc, request_id desc limit 1`,
  );
  expect(rows[0]).toEqual({ cost: charged, estimated: false, status: 'completed' });
  expect(charged).toBe(cost);
}

const PROTOCOLS = CLIENTS.map(({ protocol }) => protocol);

describe.each(ENDS)('a stream of $served with $what', (stream) => {
  it.each(PROTOCOLS)('is delivered and billed whole to a client of %s', (client) =>
    ask(client, stream),
  );
});

describe.each(REPORTS)('a stream of $served with $what', (stream) => {
  it.each(PROTOCOLS)('costs what was reported for a client of %s', (client) => ask(client, stream));
});

describe('all of it', () => {
  it('adds up', () => expectReconciled(cells.pool));
});
