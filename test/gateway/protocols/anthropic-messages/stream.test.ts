import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessagesReply } from '../../../../gateway/protocols/anthropic-messages/pass-through/messages-reply.ts';
import { MessagesStream } from '../../../../gateway/protocols/anthropic-messages/pass-through/messages-stream.ts';
import {
  endEvents,
  eventsOf,
  readMessageStrictly,
  startEvent,
  textBlock,
  wire,
} from '../../../support/clients/messages-wire.ts';

function open(publicModel = 'public-model'): MessagesStream {
  return new MessagesStream({ publicModel, findFailure: () => undefined });
}

interface Passed {
  readonly text: string;
  readonly stream: MessagesStream;
}

function pass(stream: MessagesStream, ...packets: readonly string[]): Passed {
  const sent = packets.map((packet) => Buffer.from(stream.push(Buffer.from(packet))));
  sent.push(Buffer.from(stream.flush()));
  const end = stream.finished && stream.failure === null ? stream.endMarker(null) : '';
  return { text: Buffer.concat(sent).toString() + end, stream };
}

const WHOLE = startEvent() + textBlock(0, 'Hel', 'lo', ', "wörld"\n') + endEvents();

describe('a stream of Messages', () => {
  it('tells the public name of the model', () => {
    const { text } = pass(open(), WHOLE);
    expect(readMessageStrictly(text)).toMatchObject({ model: 'public-model', finished: true });
    expect(text).not.toContain('claude-upstream');
  });

  it('comes out the same however it is packed', () => {
    const bytes = Buffer.from(WHOLE);
    const { text: whole, stream: read } = pass(open(), WHOLE);
    const estimate = read.outputTokensEstimate;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 8 }), (cuts) => {
        const stream = open();
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const sent = edges
          .slice(1)
          .map((end, index) => Buffer.from(stream.push(bytes.subarray(edges[index] ?? 0, end))));
        expect(Buffer.concat(sent).toString() + stream.endMarker(null)).toBe(whole);
        expect(stream.outputTokensEstimate).toBe(estimate);
      }),
    );
  });

  it('keeps its terminal events back until the settle', () => {
    const stream = open();
    const sent = Buffer.from(stream.push(Buffer.from(WHOLE))).toString();
    expect(sent).not.toContain('message_delta');
    expect(sent).not.toContain('message_stop');
    expect([stream.finished, stream.done]).toEqual([true, true]);
  });

  it('counts output alike whether events were read or recognised', () => {
    const texts = Array.from({ length: 50 }, (_, index) => ` ${String(index)} "€"`);
    const { stream } = pass(open(), startEvent(), textBlock(0, ...texts));
    expect(stream.deliveredText()).toBe(texts.join(''));
    expect(stream.outputTokensEstimate).toBeGreaterThanOrEqual(50);
  });

  it('passes on events that nobody knows where all fields pass, and there alone', () => {
    const odd = wire('moon_phase', { phase: 'full' });
    const sent = [startEvent(), odd, textBlock(0, 'a'), endEvents()];
    const options = { publicModel: 'm', findFailure: () => undefined };
    const all = new MessagesStream({ ...options, fieldPolicy: 'all' });
    expect(pass(all, ...sent).text).toContain(odd);
    expect(pass(new MessagesStream(options), ...sent).text).not.toContain('moon_phase');
  });

  it('is read without the space behind the colon, with CR LF, and with names missing', () => {
    const terse = WHOLE.replaceAll(': ', ':').replaceAll('event:', 'event:');
    const dos = WHOLE.replaceAll('\n', '\r\n');
    const bare = WHOLE.replaceAll(/^event: .*\n/gm, '');
    for (const odd of [terse, dos, bare]) {
      const { text } = pass(open(), odd);
      expect(readMessageStrictly(text).blocks).toMatchObject([{ text: 'Hello, "wörld"\n' }]);
    }
  });

  it('reports what message_delta says last, and nothing twice', () => {
    const usage = { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 5 };
    const delta = (output: number) => ({ ...usage, output_tokens: output });
    const more = wire('message_delta', { delta: {}, usage: delta(3) });
    const { stream, text } = pass(
      open(),
      startEvent({ ...usage, output_tokens: 1 }),
      textBlock(0, 'a'),
      more,
      endEvents('end_turn', delta(5)),
    );
    expect(stream.usage).toMatchObject({ input: 10, cachedInput: 3, output: 5 });
    expect(eventsOf(text).filter(({ name }) => name === 'message_delta')).toHaveLength(1);
  });

  it('has no usage until its end, but knows its prompt', () => {
    const { stream } = pass(open(), startEvent(), textBlock(0, 'a'));
    expect(stream.usage).toBeNull();
    expect(stream.promptUsage).toMatchObject({ input: 9, output: 0 });
    const silent = pass(open(), startEvent(), textBlock(0, 'a'), endEvents('end_turn', {})).stream;
    expect([silent.finished, silent.usage]).toEqual([true, null]);
  });

  it('tells what was counted here, where nothing was reported', () => {
    const { stream } = pass(open(), startEvent(), textBlock(0, 'a'), endEvents('end_turn', {}));
    const counted = { input: 20, cachedInput: 0, cacheWrite: 0, output: 3, reasoning: 0 };
    expect(eventsOf(stream.endMarker(counted))[0]?.data).toMatchObject({
      usage: { input_tokens: 20, output_tokens: 3 },
      delta: { stop_reason: 'end_turn' },
    });
  });

  it('ends its open block when it is cut short', () => {
    const stream = open();
    const begun =
      startEvent() + textBlock(0, 'a', 'b').replace(wire('content_block_stop', { index: 0 }), '');
    const sent = Buffer.from(stream.push(Buffer.from(begun))).toString();
    const all = sent + stream.cutShort() + stream.endMarker(null);
    expect(readMessageStrictly(all)).toMatchObject({ stopReason: 'max_tokens', finished: true });
    expect(readMessageStrictly(open().cutShort() + stream.endMarker(null)).blocks).toEqual([]);
  });

  it('is content as soon as there is a call, thinking or a signature', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
    const block = (content_block: object): string =>
      wire('content_block_start', { index: 0, content_block });
    const signature = wire('content_block_delta', {
      index: 0,
      delta: { type: 'signature_delta', signature: 'x' },
    });
    expect(pass(open(), startEvent(), wire('ping')).stream.hasContent).toBe(false);
    expect(pass(open(), startEvent(), block(call)).stream.hasContent).toBe(true);
    const thinking = block({ type: 'thinking', thinking: '', signature: '' });
    expect(pass(open(), startEvent(), thinking).stream.hasContent).toBe(false);
    expect(pass(open(), startEvent(), thinking, signature).stream.hasContent).toBe(true);
  });
});

describe('a stream of Messages fails', () => {
  const OVERLOADED = wire('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });

  it.each([
    ['with an error first', OVERLOADED],
    ['with an error behind its beginning', startEvent() + OVERLOADED],
    ['with an error without a name', 'data: {"error":{"message":"Overloaded"}}\n\n'],
    ['with what is no JSON', 'event: message_start\ndata: <html>\n\n'],
  ])('%s', (_how, bytes) => {
    const { stream } = pass(open(), bytes);
    expect(stream.failure?.failed).toBe('bad_reply');
    expect(stream.hasContent).toBe(false);
  });

  it('without a second beginning glued on', () => {
    const { text } = pass(open(), startEvent(), startEvent(), textBlock(0, 'a'), endEvents());
    expect(readMessageStrictly(text).finished).toBe(true);
  });

  it('as one that has not ended when it is cut', () => {
    const { stream } = pass(open(), startEvent(), textBlock(0, 'a'));
    expect(stream.finished).toBe(false);
    const [error] = readMessageStrictly(
      pass(open(), startEvent()).text + stream.errorEvent('upstream_error'),
    ).errors;
    expect(error).toMatchObject({ type: 'api_error' });
  });
});

describe('a refusal of the vendor’s classifiers', () => {
  const usage = { input_tokens: 106, output_tokens: 1 };
  const end =
    wire('message_delta', { delta: { stop_reason: 'refusal' }, usage }) + wire('message_stop', {});
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', usage };

  it('is free before any output, whatever usage it reports', () => {
    const { stream } = pass(open(), startEvent(), end);
    expect(stream).toMatchObject({ isFree: true, usage: { input: 106 } });
    const whole = { ...message, content: [], stop_reason: 'refusal' };
    const body = Buffer.from(JSON.stringify(whole));
    expect(readMessagesReply(body, 'm')).toMatchObject({ isFree: true, usage: { input: 106 } });
  });

  it('is not free behind output, nor is another end', () => {
    expect(pass(open(), startEvent(), textBlock(0, 'a'), end).stream.isFree).toBe(false);
    const ended = end.replace('refusal', 'end_turn');
    expect(pass(open(), startEvent(), ended).stream.isFree).toBe(false);
    const whole = { ...message, content: [{ type: 'text', text: 'a' }], stop_reason: 'refusal' };
    const reply = readMessagesReply(Buffer.from(JSON.stringify(whole)), 'm');
    expect(reply?.isFree).toBe(false);
  });
});

it('an end that is reported behind message_stop is an event of its own, and billed', () => {
  const stream = new MessagesStream({ publicModel: 'm', findFailure: () => undefined });
  const event = (value: { readonly type: string; readonly [name: string]: unknown }): Buffer =>
    Buffer.from(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`);
  const usage = { input_tokens: 3, output_tokens: 2 };
  const events = [
    { type: 'message_start', message: { model: 'm', content: [], usage } },
    { type: 'message_stop' },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage },
  ];
  for (const value of events) stream.push(event(value));
  expect(stream.usage).toMatchObject({ input: 3, output: 2 });
  const last = [...stream.endMarker(null).matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']): unknown => JSON.parse(data),
  );
  expect(last).toMatchObject([{ type: 'message_delta', usage }, { type: 'message_stop' }]);
});

describe('what says who serves a message stays here', () => {
  const usage = { input_tokens: 1, output_tokens: 2 };
  const iteration = { type: 'message', model: 'claude-upstream', ...usage };

  it('in a stream, and events without it are recognised anyway', () => {
    const block = wire('content_block_start', {
      index: 0,
      content_block: { type: 'text', text: '', extra_fields: { provider: 'secret' } },
    });
    const deltas = Array.from({ length: 20 }, (_, index) =>
      wire('content_block_delta', {
        index: 0,
        delta: { type: 'text_delta', text: `${index} "ö"` },
        extra_fields: { provider: 'secret' },
      }),
    );
    const end = wire('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null, provider: 'secret' },
      usage: { ...usage, cost: 1, iterations: [iteration] },
    });
    const stop = wire('content_block_stop', { index: 0 }) + end + wire('message_stop', {});
    const { text } = pass(open(), startEvent(), block, ...deltas, stop);
    expect(text).not.toMatch(/secret|extra_fields|cost|claude-upstream/);
    expect(text).toContain('"iterations":[{"type":"message","model":"public-model"');
    const read = readMessageStrictly(text).blocks;
    const whole = Array.from({ length: 20 }, (_, index) => `${index} "ö"`).join('');
    expect(read).toMatchObject([{ text: whole }]);
  });

  it.each([
    ['msg_bdrk_01Ab', 'msg_01Ab'],
    ['msg_vrtx_01Ab', 'msg_01Ab'],
    ['gen-01Ab', 'msg_01Ab'],
    ['msg_01Ab', 'msg_01Ab'],
  ])('in the id %s, whole and streamed', (id, told) => {
    const message = { id, type: 'message', role: 'assistant', model: 'claude-upstream', usage };
    const start = wire('message_start', { message: { ...message, content: [] } });
    expect(pass(open(), start).text).toContain(`"id":"${told}"`);
    const body = { ...message, content: [], stop_reason: 'end_turn', provider: 'secret' };
    const whole = { ...body, usage: { ...usage, iterations: [iteration] } };
    const reply = readMessagesReply(Buffer.from(JSON.stringify(whole)), 'public-model');
    const text = reply?.bytes.toString() ?? '';
    expect(text).toContain(`"id":"${told}"`);
    expect(text).not.toMatch(/secret|claude-upstream/);
  });
});
