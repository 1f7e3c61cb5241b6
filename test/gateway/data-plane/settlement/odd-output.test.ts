import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTextTokens } from '../../../../gateway/tokens/prompt-counter.ts';
import { event } from '../../../support/clients/recorded-stream.ts';
import { takeTurns } from '../../../support/machine/take-turns.ts';
import { costOf, openBillingFixture, type BillingFixture } from './support/billing-fixture.ts';

const STREAM = { stream: true };
const PROMPT_TOKENS = 8;

/** Output that is not content, as a whole message has it and as the deltas of a stream have it. */
interface OddOutput {
  readonly text: string;
  readonly message: object;
  readonly deltas: readonly object[];
}

const SHELL = { id: 'call_1', type: 'custom' };

const KINDS: readonly [string, OddOutput][] = [
  [
    'a call of a custom tool',
    {
      text: 'shellls -l /var/log | tail',
      message: {
        tool_calls: [{ ...SHELL, custom: { name: 'shell', input: 'ls -l /var/log | tail' } }],
      },
      deltas: ['', 'ls -l', ' /var/log', ' | tail'].map((input, at) => ({
        tool_calls: [
          at === 0
            ? { index: 0, ...SHELL, custom: { name: 'shell', input } }
            : { index: 0, custom: { input } },
        ],
      })),
    },
  ],
  [
    'a call of a function in the form before tools',
    {
      text: 'open_gate{"gate": 3, "by": " tail"}',
      message: { function_call: { name: 'open_gate', arguments: '{"gate": 3, "by": " tail"}' } },
      deltas: [
        { function_call: { name: 'open_gate', arguments: '' } },
        { function_call: { arguments: '{"gate": 3,' } },
        { function_call: { arguments: ' "by": "' } },
        { function_call: { arguments: ' tail' } },
        { function_call: { arguments: '"}' } },
      ],
    },
  ],
  [
    'reasoning that OpenRouter tells in details alone',
    {
      text: 'The water is low at the tail',
      message: {
        reasoning_details: [
          { type: 'reasoning.text', text: 'The water is' },
          { type: 'reasoning.encrypted', data: 'AAAA' },
          { type: 'reasoning.summary', summary: ' low at the tail' },
        ],
      },
      deltas: [
        { reasoning_details: [{ type: 'reasoning.text', text: 'The water is' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'AAAA' }] },
        { reasoning_details: [{ type: 'reasoning.summary', summary: ' low at the' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: ' tail', signature: 'BBBB' }] },
      ],
    },
  ],
  [
    'reasoning whose other name is there and empty',
    {
      text: 'The water is low at the tail',
      message: { reasoning_content: '', reasoning: 'The water is low at the tail' },
      deltas: [
        { reasoning_content: '', reasoning: 'The water is' },
        { reasoning_content: '', reasoning: ' low at the tail' },
      ],
    },
  ],
  [
    'reasoning that is told as text and in details',
    {
      text: 'The water is low at the tail',
      message: {
        reasoning: 'The water is low at the tail',
        reasoning_details: [{ type: 'reasoning.text', text: 'The water is low at the tail' }],
      },
      deltas: [
        { reasoning: 'The water', reasoning_details: [{ text: 'The water' }] },
        { reasoning: ' is low at the tail', reasoning_details: [{ text: ' is low at the tail' }] },
        { reasoning_details: [{ text: 'The water is low at the tail', signature: 'BBBB' }] },
      ],
    },
  ],
  [
    'what audio says',
    {
      text: 'The water is low at the tail',
      message: { audio: { id: 'a', data: 'AAAA', transcript: 'The water is low at the tail' } },
      deltas: [
        { audio: { id: 'a', transcript: 'The water is' } },
        { audio: { data: 'AAAA' } },
        { audio: { transcript: ' low at the' } },
        { audio: { transcript: ' tail' } },
      ],
    },
  ],
];

function wholeReply(message: object): string {
  const choices = [
    { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'stop' },
  ];
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices });
}

function streamOf(deltas: readonly object[]): string[] {
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const begin = event({ role: 'assistant', content: null });
  return [begin, ...deltas.map((delta) => event(delta)), event({}, finish), 'data: [DONE]\n\n'];
}

describe('output that no upstream reports is counted when it is', () => {
  let billing: BillingFixture;

  beforeAll(async () => {
    billing = await openBillingFixture();
  });

  afterAll(async () => {
    await billing.close();
  });

  function costWith(text: string): number {
    return costOf(PROMPT_TOKENS, takeTurns(countTextTokens('gpt-4o', text)).value);
  }

  it.each(KINDS)('%s in a stream', async (_name, { text, deltas }) => {
    const customer = await billing.newCustomer();
    billing.first.behave('*', { kind: 'raw', pieces: streamOf(deltas) });
    await (await customer.send(STREAM)).text();
    expect(await customer.bill()).toMatchObject({
      charged: costWith(text),
      records: [{ estimated: true, status: 'completed' }],
    });
  });

  it.each(KINDS)('%s in a whole reply', async (_name, { text, message }) => {
    const customer = await billing.newCustomer();
    const pieces = [wholeReply(message)];
    billing.first.behave('*', { kind: 'raw', contentType: 'application/json', pieces });
    await (await customer.send()).text();
    expect(await customer.bill()).toMatchObject({
      charged: costWith(text),
      records: [{ estimated: true, status: 'completed' }],
    });
  });

  it.each(KINDS)('%s, and the client leaves in the middle', async (_name, { text, deltas }) => {
    const customer = await billing.newCustomer();
    const pieces = streamOf(deltas).slice(0, -2);
    billing.first.behave('*', { kind: 'raw', pieces, end: 'hang' });
    const leaving = new AbortController();
    const reply = await customer.send(STREAM, { signal: leaving.signal });
    // The last delta ends in it.
    const last = JSON.stringify(deltas.at(-1)).slice(1);
    let got = '';
    for await (const bytes of reply.body ?? []) {
      got += Buffer.from(bytes).toString();
      if (got.includes(last)) break;
    }
    leaving.abort();
    expect(await customer.bill()).toMatchObject({
      charged: costWith(text),
      records: [{ estimated: true, status: 'client_disconnected' }],
    });
  });
});
