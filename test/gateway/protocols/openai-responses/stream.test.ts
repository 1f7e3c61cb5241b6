import { describe, expect, it } from 'vitest';
import {
  ResponsesStream,
  type ResponsesStreamOptions,
} from '../../../../gateway/protocols/openai-responses/pass-through/responses-stream.ts';
import { clientRecordings } from '../../../support/clients/client-recordings.ts';
import { packetsOf } from '../../../support/clients/recorded-stream.ts';
import { parseEvents, responsesEvent, textOf } from '../../../support/clients/responses-events.ts';

const STREAMS = clientRecordings('/v1/responses').filter(({ events }) => events.length > 0);

function read(packets: readonly Buffer[], publicModel = 'public') {
  return readAs({ publicModel }, packets);
}

function readAs(options: ResponsesStreamOptions, packets: readonly Buffer[]) {
  const stream = new ResponsesStream(options);
  const sent = packets.map((packet) => Buffer.from(stream.push(packet)));
  sent.push(Buffer.from(stream.flush()));
  const body = Buffer.concat(sent).toString();
  const end = stream.finished && stream.failure === null ? stream.endMarker(null) : '';
  return { stream, body, end, text: body + end };
}

const CREATED = responsesEvent('response.created', 0, {
  response: {
    id: 'resp_1',
    object: 'response',
    model: 'm',
    created_at: 5,
    output: [],
    usage: null,
  },
});
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
const BEGUN =
  CREATED + responsesEvent('response.output_item.added', 1, { output_index: 0, item: MESSAGE });

function delta(text: string, sequence: number, extra: object = {}): string {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  return responsesEvent('response.output_text.delta', sequence, {
    ...at,
    delta: text,
    logprobs: [],
    ...extra,
  });
}

function messageDone(text: string, sequence: number): string {
  const item = { ...MESSAGE, status: 'completed', content: [{ type: 'output_text', text }] };
  return responsesEvent('response.output_item.done', sequence, { output_index: 0, item });
}

function completed(sequence: number, usage: unknown, change: object = {}): string {
  const response = {
    id: 'resp_1',
    object: 'response',
    model: 'm',
    created_at: 5,
    status: 'completed',
  };
  return responsesEvent('response.completed', sequence, {
    response: { ...response, output: [], usage, ...change },
  });
}

const IDS = {
  clientId: (id: string) => `resp_of_${id}`,
  conversationId: (id: string) => `conv_of_${id}`,
  itemId: (id: string) => `${id}_signed`,
};

describe('a stream of a response that is stored', () => {
  const item = { ...MESSAGE, content: [{ type: 'output_text', text: 'one "msg_1" two' }] };
  const text = [
    BEGUN,
    delta('one', 2),
    delta(' "msg_1"', 3),
    ...[' two', '', ' \\', 'ü'].map((piece, at) => delta(piece, 4 + at)),
    responsesEvent('response.output_text.done', 8, { item_id: 'msg_1', text: '"msg_1"' }),
    responsesEvent('response.output_item.done', 9, { output_index: 0, item }),
    completed(10, { input_tokens: 1, output_tokens: 2, total_tokens: 3 }, { output: [item] }),
  ].join('');
  const named = text
    .replaceAll(/(?<!\\)"msg_1"/g, '"msg_1_signed"')
    .replaceAll('"resp_1"', '"resp_of_resp_1"');

  it.each([1, 7, 64, 200, 10_000])('has its names in pieces of %i bytes', (bytes) => {
    const read = readAs({ publicModel: 'm', ids: IDS }, packetsOf(Buffer.from(text), bytes));
    expect(parseEvents(read.text)).toEqual(parseEvents(named));
    expect(read.stream.usage).toMatchObject({ input: 1, output: 2 });
  });

  it('has them at its end, too, when it is cut short', () => {
    const stream = new ResponsesStream({ publicModel: 'm', ids: IDS });
    stream.push(Buffer.from(BEGUN + delta('one', 2)));
    const end = stream.cutShort() + stream.endMarker(null);
    expect(end).not.toContain('"msg_1"');
    expect(end).toContain('"msg_1_signed"');
    expect(end).not.toContain('"resp_1"');
  });
});

const USAGE = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 200, cache_write_tokens: 300 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1_050,
};

describe.each(STREAMS)('the stream for $name', ({ events, body }) => {
  const bytes = Buffer.from(events.join(''));
  const model = String(body['model']);

  it('passes byte by byte under its own model', () => {
    const { text, stream } = read([bytes], model);
    expect(text).toBe(bytes.toString());
    expect(stream.usage?.input).toBeGreaterThan(0);
    expect(stream.hasContent).toBe(true);
  });

  it.each([1, 7, 137, 5_000])('is the same in packets of %i bytes', (size) => {
    expect(read(packetsOf(bytes, size), model).text).toBe(bytes.toString());
  });

  it('differs in nothing but the model under another name', () => {
    const { text } = read([bytes], 'another');
    expect(text.replaceAll('"model":"another"', `"model":"${model}"`)).toBe(bytes.toString());
    expect(text).not.toContain(`"model":"${model}"`);
  });

  it('keeps its terminal event until the request is settled', () => {
    const { body: before, end } = read([bytes], model);
    expect(before).not.toContain('event: response.completed');
    expect(parseEvents(end).map(({ type }) => type)).toEqual(['response.completed']);
  });
});

describe('deltas', () => {
  const many = Array.from({ length: 50 }, (_, index) =>
    delta(index % 5 === 0 ? 'ü"\n' : ' w', index + 2, { obfuscation: 'x'.repeat(index % 4) }),
  );

  it('leave in the buffer they came in', () => {
    const stream = new ResponsesStream({ publicModel: 'public' });
    stream.push(Buffer.from(BEGUN));
    for (const event of many) {
      const packet = Buffer.from(event);
      expect(stream.push(packet)).toBe(packet);
    }
    expect(stream.deliveredText()).toBe(
      many.map((_, index) => (index % 5 === 0 ? 'ü"\n' : ' w')).join(''),
    );
    expect(stream.keepAlive()).toContain('"sequence_number":51');
  });

  it('of several items are told apart', () => {
    const stream = new ResponsesStream({ publicModel: 'm' });
    const call = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '' };
    stream.push(Buffer.from(BEGUN + many.join('')));
    stream.push(
      Buffer.from(
        responsesEvent('response.output_item.added', 52, { output_index: 1, item: call }),
      ),
    );
    const at = { item_id: 'fc_1', output_index: 1 };
    const piece = responsesEvent('response.function_call_arguments.delta', 53, {
      ...at,
      delta: '{"a"',
    });
    expect(Buffer.from(stream.push(Buffer.from(piece))).toString()).toBe(piece);
    expect(stream.deliveredText()).toMatch(/wf\{"a"$/);
  });

  it('without their event line get one, and one without a space is read', () => {
    const data = (text: string) => text.slice(text.indexOf('\n') + 1);
    const bare = data(BEGUN.split('\n\n')[0] ?? '') + '\n\n' + data(delta('a', 2));
    const { text, stream } = read([
      Buffer.from(bare.replaceAll('data: ', 'data:')),
      Buffer.from(completed(3, USAGE)),
    ]);
    expect(textOf(parseEvents(text))).toBe('a');
    expect(stream.finished).toBe(true);
  });
});

describe('usage', () => {
  it('has cached and written tokens within its input, and comes with the terminal event', () => {
    const { stream } = read([Buffer.from(BEGUN + delta('a', 2) + completed(3, USAGE))]);
    expect(stream.usage).toEqual({
      input: 1_000,
      cachedInput: 200,
      cacheWrite: 300,
      output: 50,
      reasoning: 10,
    });
  });

  it('that is missing is what was counted here, for the client, too', () => {
    const { stream } = read([
      Buffer.from(BEGUN + delta('a', 2) + messageDone('a', 3) + completed(4, null)),
    ]);
    expect(stream.usage).toBeNull();
    const counts = { input: 7, cachedInput: 0, cacheWrite: 0, output: 3, reasoning: 0 };
    const [event] = parseEvents(stream.endMarker(counts));
    expect(event).toMatchObject({
      type: 'response.completed',
      sequence_number: 4,
      response: { model: 'public', usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 } },
    });
  });

  it('counts the searches of the upstream, not the pages that were opened', () => {
    const output = [
      { type: 'web_search_call', action: { type: 'search' } },
      { type: 'web_search_call', action: { type: 'open_page' } },
    ];
    const counted = read([Buffer.from(BEGUN + completed(3, USAGE, { output }))]).stream.usage;
    expect(counted?.extra).toEqual({ webSearch: 1 });
    const change = { output, tool_usage: { web_search: { num_requests: 2 } } };
    const told = read([Buffer.from(BEGUN + completed(3, USAGE, change))]).stream.usage;
    expect(told?.extra).toEqual({ webSearch: 2 });
  });

  it('tells the client nothing of the price that the operator pays', () => {
    const { end } = read([Buffer.from(BEGUN + completed(3, { ...USAGE, cost: 0.5 }))]);
    expect(end).not.toContain('cost');
  });
});

describe('a stream that goes wrong', () => {
  it('is no whole reply without its terminal event', () => {
    const { stream } = read([Buffer.from(BEGUN + delta('a', 2))]);
    expect(stream.finished).toBe(false);
    const [event] = parseEvents(stream.errorEvent('upstream_error'));
    expect(event).toMatchObject({
      type: 'response.failed',
      sequence_number: 3,
      response: {
        id: 'resp_1',
        status: 'failed',
        model: 'public',
        error: { code: 'server_error' },
      },
    });
  });

  it.each([
    responsesEvent('response.failed', 1, {
      response: { id: 'r', status: 'failed', error: { code: 'server_error', message: 'no' } },
    }),
    responsesEvent('error', 1, { code: 'rate_limit_exceeded', message: 'no' }),
    'event: response.created\ndata: {"type"\n\n',
  ])('has failed: %s', (event) => {
    const { stream, body } = read([Buffer.from(event + delta('a', 2))]);
    expect(stream.failure).toMatchObject({ failed: 'bad_reply' });
    expect(body).toBe('');
  });

  it('that runs out of money ends its items and fails as one without quota', () => {
    const stream = new ResponsesStream({ publicModel: 'public' });
    stream.push(Buffer.from(BEGUN + delta('Hello', 2) + delta(' wo', 3)));
    const last = stream.cutShort() + stream.errorEvent('insufficient_balance');
    const events = parseEvents(last);
    expect(events.map(({ type }) => type)).toEqual([
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.failed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([4, 5, 6, 7]);
    expect(events[0]).toMatchObject({ text: 'Hello wo', item_id: 'msg_1' });
    expect(events[3]).toMatchObject({
      response: {
        error: { code: 'insufficient_quota' },
        output: [{ id: 'msg_1', status: 'incomplete', content: [{ text: 'Hello wo' }] }],
      },
    });
  });

  it('that has had all that was asked for is incomplete', () => {
    const stream = new ResponsesStream({ publicModel: 'public' });
    const call = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '' };
    const at = { item_id: 'fc_1', output_index: 1 };
    stream.push(
      Buffer.from(
        BEGUN +
          delta('Hi', 2) +
          responsesEvent('response.output_item.done', 3, {
            output_index: 0,
            item: { ...MESSAGE, content: [{ type: 'output_text', text: 'Hi' }] },
          }) +
          responsesEvent('response.output_item.added', 4, { output_index: 1, item: call }) +
          responsesEvent('response.function_call_arguments.delta', 5, { ...at, delta: '{"a' }),
      ),
    );
    const events = parseEvents(stream.cutShort() + stream.endMarker(null));
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ id: 'msg_1' }, { id: 'fc_1', arguments: '{"a', status: 'incomplete' }],
      },
    });
  });
});

describe('a stream that ends otherwise than published', () => {
  const TEXT = BEGUN + delta('Hello', 2);

  it('is complete with OpenRouter’s last event', () => {
    const last = completed(3, USAGE).replaceAll('response.completed', 'response.done');
    const { stream, end } = read([Buffer.from(TEXT + last)]);
    expect(stream).toMatchObject({ failure: null, whole: true, usage: { output: 50 } });
    expect(parseEvents(end)).toMatchObject([
      { type: 'response.completed', response: { status: 'completed', model: 'public' } },
    ]);
    const failed = last.replace('"status":"completed"', '"status":"failed"');
    // Without an error object, too.
    expect(read([Buffer.from(TEXT + failed)]).stream.failure).toMatchObject({
      failed: 'bad_reply',
    });
  });

  it('is complete with the end marker of chat completions', () => {
    const { stream, text } = read([Buffer.from(`${TEXT}data: [DONE]\n\n`)]);
    expect(stream).toMatchObject({ failure: null, whole: true, usage: null });
    expect(parseEvents(text).slice(-2)).toMatchObject([
      { type: 'response.output_item.done', item: { status: 'completed' } },
      {
        type: 'response.completed',
        response: { status: 'completed', output: [{ content: [{ text: 'Hello' }] }] },
      },
    ]);
    expect(read([Buffer.from(`${CREATED}data: [DONE]\n\n`)]).stream.whole).toBe(false);
  });

  it('goes by the types in its data', () => {
    const events = (TEXT + completed(3, USAGE)).replaceAll(/^event: .*$/gm, 'event: message');
    const { stream, text } = read([Buffer.from(events)]);
    expect(stream.whole).toBe(true);
    expect(text).not.toContain('event: message');
  });
});

describe('a silent stream', () => {
  it('is kept alive by an event that Codex counts, once it has begun', () => {
    const stream = new ResponsesStream({ publicModel: 'public' });
    stream.push(Buffer.from(BEGUN));
    expect(stream.keepAlive()).toBeUndefined();
    stream.push(Buffer.from(delta('a', 2)));
    const [event] = parseEvents(stream.keepAlive() ?? '');
    expect(event).toMatchObject({
      type: 'response.in_progress',
      sequence_number: 2,
      response: { id: 'resp_1', created_at: 5, model: 'public', status: 'in_progress' },
    });
  });
});

it('brings events whose data stands on several lines to one line each', () => {
  const usage = { input_tokens: 3, output_tokens: 3, total_tokens: 6 };
  const deltas = delta('a', 2) + delta('b', 3) + delta('c', 4);
  const events = BEGUN + deltas + messageDone('abc', 5) + completed(6, usage);
  const over = events.replaceAll(/^(data: \{"type":"[^"]*",)/gm, '$1\ndata: ');
  const { text } = read([Buffer.from(over)]);
  expect(text.match(/^data: /gm)).toHaveLength(7);
  expect(textOf(parseEvents(text))).toBe('abc');
  expect(parseEvents(text).at(-1)).toMatchObject({ type: 'response.completed' });
});
