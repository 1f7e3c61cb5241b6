/**
 * Responses has no stop sequences: replies are cut by Weir. Nothing of the sequence or behind it
 * reaches the client.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { streamedText } from '../../../support/clients/streamed-text.ts';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { openCells, type Cells } from './support/open-cells.ts';

const PER_MILLION = 1_000_000;
const INPUT = 4_000;
const OUTPUT = 20_000;
const USAGE = { input_tokens: 1_000, output_tokens: 50, total_tokens: 1_050 };
const MODEL = 'on-openai-responses';
const STOPS = ['never', 'END'];

let cells: Cells;

beforeAll(async () => {
  cells = await openCells((pool) =>
    pool.query('update prices set input_nano_usd = $1, output_nano_usd = $2', [
      INPUT * PER_MILLION,
      OUTPUT * PER_MILLION,
    ]),
  );
});

afterAll(async () => {
  await expectReconciled(cells.pool);
  await cells.close();
});

const TURN = [{ role: 'user', content: 'Hello' }];

const CLIENTS = [
  {
    protocol: 'openai-chat' as const,
    request: (stream: boolean) => ({
      path: '/v1/chat/completions',
      body: { model: MODEL, stream, messages: TURN, stop: STOPS },
    }),
    end: '"finish_reason":"stop"',
  },
  {
    protocol: 'anthropic-messages' as const,
    request: (stream: boolean) => ({
      path: '/v1/messages',
      body: { model: MODEL, stream, max_tokens: 900, messages: TURN, stop_sequences: STOPS },
    }),
    end: '"stop_reason":"stop_sequence","stop_sequence":"END"',
  },
  {
    protocol: 'gemini' as const,
    request: (stream: boolean) => ({
      path: `/v1beta/models/${MODEL}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        generationConfig: { stopSequences: STOPS },
      },
    }),
    end: '"finishReason":"STOP"',
  },
];
type Client = (typeof CLIENTS)[number];

function event(data: { readonly type: string; readonly [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function response(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const frame = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', error: null };
  return { ...frame, status: 'completed', output: [item], usage: USAGE };
}

function stream(pieces: readonly string[], isWhole = true): string[] {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
  return [
    event({ type: 'response.created', response: { id: 'resp_1', output: [] } }),
    event({ type: 'response.output_item.added', output_index: 0, item }),
    ...pieces.map((delta) => event({ type: 'response.output_text.delta', ...at, delta })),
    ...(isWhole
      ? [event({ type: 'response.completed', response: response(pieces.join('')) })]
      : []),
  ];
}

async function ask({ request }: Client, isStream: boolean): Promise<string> {
  const { path, body } = request(isStream);
  const reply = await fetch(cells.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${cells.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  return text;
}

describe.each(CLIENTS)('a client of $protocol over Responses', (client) => {
  it.each([
    ['in one piece', ['AB', 'C ENDLESS', ' more']],
    ['over three pieces', ['ABC ', 'E', 'N', 'D', 'LESS']],
    ['behind what only begins like it', ['ABC EN', 'EN', 'D']],
  ])('has its stream cut at a stop sequence %s', async (_how, pieces) => {
    cells.upstream.reply = { events: stream(pieces) };
    const text = await ask(client, true);
    const expected = pieces.join('').split('END')[0];
    expect(streamedText(client.protocol, text)).toBe(expected);
    expect(text).toContain(client.end);
    expect(await cells.charged()).toBe(1_000 * INPUT + 50 * OUTPUT);
  });

  it('has a stream to its end that only begins like a stop sequence', async () => {
    cells.upstream.reply = { events: stream(['ABC', ' EN']) };
    expect(streamedText(client.protocol, await ask(client, true))).toBe('ABC EN');
    expect(await cells.charged()).toBe(1_000 * INPUT + 50 * OUTPUT);
  });

  it('has a whole reply cut', async () => {
    cells.upstream.reply = { json: response('ABC ENDLESS') };
    const text = await ask(client, false);
    expect(text).toContain('"ABC "');
    expect(text).not.toContain('LESS');
    expect(text).toContain(client.end);
    expect(await cells.charged()).toBe(1_000 * INPUT + 50 * OUTPUT);
  });
});

it('an upstream that goes on behind a stop sequence is left, and what was delivered is billed', async () => {
  const [client] = CLIENTS;
  if (client === undefined) throw new Error('no client');
  cells.upstream.reply = { events: stream(['ABC ', 'END', ' and', ' more'], false), stays: true };
  expect(streamedText(client.protocol, await ask(client, true))).toBe('ABC ');
  const charged = await cells.charged();
  // The prompt and one or two tokens of output.
  expect(charged).toBeGreaterThan(INPUT);
  expect(charged).toBeLessThan(100 * INPUT + 5 * OUTPUT);
  await until('the upstream has been left', () => cells.upstream.underWay === 0);
});
