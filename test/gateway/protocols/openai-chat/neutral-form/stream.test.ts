import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { NeutralEvent } from '../../../../../gateway/protocols/neutral-form/reply.ts';
import { TranslatedStream } from '../../../../../gateway/protocols/neutral-form/translations/translated-stream.ts';
import { neutralForm } from '../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { minimaxFailure } from '../../../../../gateway/providers/openai-compatible/minimax-error.ts';
import {
  event,
  packetPerEvent,
  packetsOf,
  recording,
  translate,
  WHOLE_STREAMS,
} from '../../../../support/clients/recorded-stream.ts';
import { readStrictly } from '../../../../support/clients/strict-chat-client.ts';
import { chatRequest } from './support/neutral-form.ts';

function open(includeUsage = true): TranslatedStream {
  const request = chatRequest({ stream: true, stream_options: { include_usage: includeUsage } });
  return new TranslatedStream(
    neutralForm.readStream(minimaxFailure),
    neutralForm.writeStream(request),
  );
}

/** Returns a client's view of a stream that is read into the neutral form and written again. */
function twice(bytes: Buffer, packets = packetPerEvent(bytes), stream = open()): string {
  const sent = packets.map((packet) => Buffer.from(stream.push(packet)));
  sent.push(Buffer.from(stream.flush()));
  expect(stream.failure).toBeNull();
  expect(stream.finished).toBe(true);
  return Buffer.concat(sent).toString() + stream.endMarker(null);
}

async function finalCompletion(body: string) {
  const sdk = new OpenAI({
    apiKey: 'sk-none',
    baseURL: 'http://sdk.invalid/v1',
    maxRetries: 0,
    fetch: () =>
      Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const messages = [{ role: 'user' as const, content: 'x' }];
  return sdk.chat.completions.stream({ model: 'm', messages }).finalChatCompletion();
}

const ONE_CHOICE = WHOLE_STREAMS.filter((name) => name !== 'two-choices');

describe('a chat stream that is read into the neutral form and written again', () => {
  it.each(ONE_CHOICE)('reads the same in the official SDK: %s', async (name) => {
    const bytes = recording(`${name}.chunks.txt`);
    const [direct, through] = await Promise.all([
      finalCompletion(translate(packetPerEvent(bytes), { includeUsage: true }).text),
      finalCompletion(twice(bytes)),
    ]);
    const [ours] = through.choices;
    const [theirs] = direct.choices;
    expect(ours?.message.content ?? '').toBe(theirs?.message.content ?? '');
    expect(ours?.finish_reason).toBe(theirs?.finish_reason);
    expect(calls(ours?.message)).toEqual(calls(theirs?.message));
    expect(through.model).toBe('public-model');
    expect(through.usage?.prompt_tokens).toBe(direct.usage?.prompt_tokens);
    expect(through.usage?.completion_tokens).toBe(direct.usage?.completion_tokens);
  });

  it.each(ONE_CHOICE)('satisfies the least forgiving client: %s', (name) => {
    const bytes = recording(`${name}.chunks.txt`);
    const direct = readStrictly(translate(packetPerEvent(bytes)).text);
    const through = readStrictly(twice(bytes, packetPerEvent(bytes), open(false)));
    expect(through.finished).toBe(true);
    expect(through.texts).toEqual(direct.texts);
    expect(through.reasonings).toEqual(direct.reasonings);
    expect(through.finishReasons).toEqual(direct.finishReasons);
    expect(through.usages).toEqual([]);
  });

  it.each(ONE_CHOICE)('is the same however it is packed: %s', (name) => {
    const bytes = recording(`${name}.chunks.txt`);
    const fixed = (text: string): string =>
      text.replaceAll(/chatcmpl-\w+|call_\w{32}|"created":\d+/g, '');
    for (const size of [1, 7, 100_000]) {
      expect(fixed(twice(bytes, packetsOf(bytes, size)))).toBe(fixed(twice(bytes)));
    }
  });

  it('tells usage only to clients that ask for it', () => {
    const stream = open(false);
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    stream.push(Buffer.from(event({ content: 'T' }, { usage })));
    stream.push(
      Buffer.from('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'),
    );
    expect(stream.usage).toMatchObject({ input: 3, output: 1 });
    expect(stream.endMarker(null)).toBe('data: [DONE]\n\n');
  });

  it('ends at its limit when it is cut short, also before a call has arguments', () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } };
    const stream = open();
    const begun = Buffer.from(stream.push(Buffer.from(event({ tool_calls: [call] })))).toString();
    const read = readStrictly(`${begun}${stream.cutShort()}${stream.endMarker(null)}`);
    expect(read.finishReasons).toEqual(['length']);
    expect(read.tools).toMatchObject([{ name: 'f', arguments: '{}' }]);
  });
});

function calls(message: OpenAI.Chat.Completions.ChatCompletionMessage | undefined): unknown[] {
  return (message?.tool_calls ?? []).map((call) =>
    call.type === 'function' ? { ...call.function, parsed_arguments: null } : call.custom,
  );
}

function read(...events: string[]): readonly NeutralEvent[] {
  const reader = neutralForm.readStream(minimaxFailure);
  return events
    .flatMap((one) => reader.read('', Buffer.from(one.slice('data: '.length).trim())))
    .concat(reader.close());
}

const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

describe('an upstream’s events', () => {
  it('are a start, text, usage, one end and the terminal event', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    const last = `data: {"choices":[],"usage":${JSON.stringify(usage)}}\n\n`;
    expect(
      read(event({ role: 'assistant', content: 'T' }), FINISH, FINISH, last, 'data: [DONE]'),
    ).toEqual([
      { type: 'start', id: 'c' },
      { type: 'text', text: 'T' },
      { type: 'end', reason: 'stop' },
      {
        type: 'usage',
        usage: expect.objectContaining({ input: 3, output: 1 }) as unknown,
      },
      { type: 'done' },
    ]);
  });

  it('have a call only when its name has come', () => {
    const named = { index: 0, id: 'c1', function: { name: 'f' } };
    expect(
      read(
        event({ tool_calls: [{ index: 0, id: 'c1', type: 'function' }] }),
        event({ tool_calls: [named] }),
        FINISH,
      ).slice(1),
    ).toEqual([
      { type: 'tool_call', index: 0, id: 'c1', name: 'f', freeForm: false },
      { type: 'end', reason: 'tool_calls' },
    ]);
  });

  it('have one proof of reasoning whose signature came in pieces with the text', () => {
    const detail = (fields: object): string =>
      event({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...fields }] });
    const whole = { type: 'reasoning.text', index: 0, text: 'Rest', signature: 'S' };
    expect(
      read(
        detail({ text: 'Re' }),
        detail({ text: 'st', signature: null }),
        detail({ signature: 'S' }),
        event({ content: 'T' }),
        FINISH,
      ).slice(1),
    ).toEqual([
      { type: 'reasoning', text: 'Re' },
      { type: 'reasoning', text: 'st' },
      { type: 'reasoning_proof', proof: { of: 'openai-chat', value: JSON.stringify([whole]) } },
      { type: 'text', text: 'T' },
      { type: 'end', reason: 'stop' },
    ]);
  });

  it.each([
    ['data: {"error":{"message":"x"}}', 'error event: "x"'],
    ['data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}', 'error event'],
    ['data: {broken', 'an event is not a JSON object'],
  ])('are a failure: %s', (sent, detail) => {
    expect(read(sent)).toEqual([
      { type: 'failure', detail: expect.stringContaining(detail) as unknown },
    ]);
  });
});

describe('a client’s events', () => {
  it('carry the proofs of other vendors', () => {
    const writer = neutralForm.writeStream(chatRequest({ stream: true }));
    const proof = { of: 'anthropic-messages', value: 'SIG' } as const;
    const text =
      writer.write({ type: 'start', id: 'm' }) +
      writer.write({ type: 'reasoning', text: 'R' }) +
      writer.write({ type: 'reasoning_proof', proof });
    expect(text).toContain('"reasoning_content":"R"');
    expect(text).toContain(
      '"reasoning_details":[{"type":"reasoning.text","text":"R","signature":"weir1.anthropic-messages.s.SIG","index":0}]',
    );
  });

  it('have the text of a free-form call that its upstream took for a function', () => {
    const tools = [{ type: 'custom', custom: { name: 'g' } }];
    const writer = neutralForm.writeStream(chatRequest({ stream: true, tools }));
    const call = { type: 'tool_call', index: 0, id: 'c1', name: 'g', freeForm: false } as const;
    const text =
      writer.write(call) +
      writer.write({ type: 'tool_input', index: 0, text: '{"input":' }) +
      writer.write({ type: 'tool_input', index: 0, text: '"free"}' }) +
      writer.write({ type: 'end', reason: 'tool_calls' });
    expect(text).toContain('"type":"custom","custom":{"name":"g","input":""}');
    expect(text).toContain('"tool_calls":[{"index":0,"custom":{"input":"free"}}]');
    expect(text).not.toContain('arguments');
  });

  it('say why the reply breaks off', () => {
    const writer = neutralForm.writeStream(chatRequest({ stream: true }));
    expect(writer.errorEvent('insufficient_balance')).toContain('"code":"insufficient_balance"');
  });
});
