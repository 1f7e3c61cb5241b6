import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEST_PRICES } from '../../../support/seed.ts';
import { responsesEvent } from '../../../support/clients/responses-events.ts';
import type { FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import type { ResponsesUpstream } from '../../../support/upstreams/responses-upstream.ts';
import {
  openResponsesService,
  type ResponsesCustomer,
  type ResponsesService,
} from '../request-path/support/responses-service.ts';
import { ResponsesSocket } from './support/responses-socket.ts';

let service: ResponsesService;
let native: ResponsesUpstream;
let chat: FakeUpstream;
let customer: ResponsesCustomer;
let socket: ResponsesSocket;

beforeAll(async () => {
  service = await openResponsesService();
  ({ first: native, chat } = service);
});

afterAll(() => service.close());

beforeEach(async () => {
  chat.reset();
  native.requests.length = 0;
  customer = await service.newCustomer();
  socket = await ResponsesSocket.open(service.url, customer.key);
  return () => socket.close();
});

const USAGE = {
  input_tokens: 1_000,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1_050,
};
const COST = (1_000 * TEST_PRICES.inputNanoUsd + 50 * TEST_PRICES.outputNanoUsd) / 1_000_000;

function user(text: string): object {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

/** The reply of an upstream: reasoning that nothing can be done with, and a message. */
function replyOf(text: string): string[] {
  const message = {
    id: `msg_${text}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const reasoning = { id: 'rs_1', type: 'reasoning', summary: [] };
  const response = { id: `resp_${text}`, object: 'response', model: 'upstream-model', output: [] };
  const inOutput = { item_id: message.id, output_index: 1, content_index: 0 };
  const events: [string, object][] = [
    ['response.created', { response: { ...response, status: 'in_progress' } }],
    ['response.output_item.added', { output_index: 0, item: reasoning }],
    ['response.output_item.done', { output_index: 0, item: reasoning }],
    ['response.output_item.added', { output_index: 1, item: { ...message, content: [] } }],
    ['response.content_part.added', { ...inOutput, part: { type: 'output_text', text: '' } }],
    ['response.output_text.delta', { ...inOutput, delta: text }],
    ['response.output_text.done', { ...inOutput, text }],
    ['response.content_part.done', { ...inOutput, part: { type: 'output_text', text } }],
    ['response.output_item.done', { output_index: 1, item: message }],
    ['response.completed', { response: { ...response, status: 'completed', usage: USAGE } }],
  ];
  return events.map(([type, fields], index) => responsesEvent(type, index, fields));
}

function answers(...texts: string[]): void {
  let turn = 0;
  native.script = () => ({ events: replyOf(texts[turn++] ?? 'again') });
}

describe('responses over a WebSocket', () => {
  it('sends the events of a reply as text frames', async () => {
    answers('one');
    socket.send({ model: 'native', store: false, input: 'hello' });
    const events = await socket.reply();
    expect(events[0]?.type).toBe('response.created');
    expect(events.find(({ type }) => type === 'response.output_text.delta')?.['delta']).toBe('one');
    expect(events.at(-1)?.response?.usage?.input_tokens).toBe(1_000);
    expect(native.requests).toHaveLength(1);
    expect(native.requests[0]).not.toHaveProperty('type');
    expect(await customer.spent()).toBe(COST);
  });

  it('expands new items by what the connection has seen, and bills each turn', async () => {
    answers('one', 'two', 'three');
    const first = await socket.ask({ model: 'native', store: false, input: [user('a')] });
    const second = await socket.ask({
      model: 'native',
      store: false,
      input: [user('b')],
      previous_response_id: first.response?.id,
    });
    const third = await socket.ask({
      model: 'native',
      store: false,
      input: [user('c')],
      previous_response_id: second.response?.id,
    });
    expect(third.type).toBe('response.completed');
    const sent = native.requests.map(({ input }) =>
      (input as { content: { text: string }[] }[]).map(({ content }) => content[0]?.text),
    );
    expect(sent).toEqual([['a'], ['a', 'one', 'b'], ['a', 'one', 'b', 'two', 'c']]);
    for (const request of native.requests) {
      expect(request).not.toHaveProperty('previous_response_id');
    }
    expect(await customer.spent()).toBe(3 * COST);
  });

  it('answers a prompt that is sent ahead itself, and charges nothing for it', async () => {
    answers('one');
    const ahead = await socket.ask({
      model: 'native',
      store: false,
      generate: false,
      input: [user('rules')],
    });
    expect(ahead).toMatchObject({ type: 'response.completed', response: { output: [] } });
    expect(native.requests).toHaveLength(0);
    await socket.ask({
      model: 'native',
      store: false,
      input: [user('a')],
      previous_response_id: ahead.response?.id,
    });
    expect(native.requests[0]?.['input']).toHaveLength(2);
    expect(native.requests[0]).not.toHaveProperty('generate');
    expect(await customer.spent()).toBe(COST);
  });

  it('serves models of other protocols', async () => {
    const first = await socket.ask({ model: 'over-chat', store: false, input: 'a' });
    expect(first.type).toBe('response.completed');
    const second = await socket.ask({
      model: 'over-chat',
      store: false,
      input: [user('b')],
      previous_response_id: first.response?.id,
    });
    expect(second.type).toBe('response.completed');
    const { messages } = chat.requests.at(-1)?.body as { messages: { role: string }[] };
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('never sends new items alone where it does not know what they continue', async () => {
    const end = await socket.ask({
      model: 'over-chat',
      store: false,
      input: [user('b')],
      previous_response_id: 'resp_of_another_connection',
    });
    expect(end).toMatchObject({
      type: 'error',
      status: 400,
      error: { code: 'previous_response_not_found' },
    });
    expect(chat.requests).toHaveLength(0);
  });

  it('forgets what a failed turn had continued', async () => {
    answers('one');
    const first = await socket.ask({ model: 'native', store: false, input: 'a' });
    native.script = { status: 400, body: { error: { message: 'no', code: 'bad' } } };
    const continued = {
      model: 'native',
      store: false,
      input: [user('b')],
      previous_response_id: first.response?.id,
    };
    expect(await socket.ask(continued)).toMatchObject({ type: 'error', status: 400 });
    answers('two');
    expect(await socket.ask(continued)).toMatchObject({
      error: { code: 'previous_response_not_found' },
    });
  });

  it('keeps what a turn under way has said when a frame behind it is refused', async () => {
    answers('one', 'two');
    socket.send({ model: 'native', store: false, input: [user('a')] });
    socket.sendRaw(Buffer.from('{}'));
    const replies = [await socket.reply(), await socket.reply()].flat();
    const first = replies.find(({ type }) => type === 'response.completed');
    expect(replies.some(({ type }) => type === 'error')).toBe(true);
    await socket.ask({
      model: 'native',
      store: false,
      input: [user('b')],
      previous_response_id: first?.response?.id,
    });
    expect(native.requests[1]?.['input']).toHaveLength(3);
  });

  it('serves requests that are sent at once one after the other', async () => {
    answers('one', 'two');
    socket.send({ model: 'native', store: false, input: 'a' });
    socket.send({ model: 'native', store: false, input: 'b' });
    expect((await socket.reply()).at(-1)?.response?.id).toContain('resp_');
    expect((await socket.reply()).at(-1)?.type).toBe('response.completed');
    expect(native.requests.map(({ input }) => input)).toEqual(['a', 'b']);
    expect(await customer.spent()).toBe(2 * COST);
  });
});

describe('refusals on a WebSocket', () => {
  it.each([
    ['{', 'invalid_value'],
    ['[]', 'invalid_value'],
    ['{"type":"response.create"}', 'missing_required_parameter'],
    ['{"type":"response.create","model":"native","input":"a"} x', 'invalid_json'],
    ['{"type":"response.create","model":"none","input":"a"}', 'model_not_found'],
    ['{"type":"response.steer","input":[]}', 'invalid_value'],
    ['{"type":"response.create","stream_id":"a","model":"native","input":"a"}', 'invalid_value'],
  ])('%s is an error event, and the connection goes on', async (frame, code) => {
    socket.sendRaw(frame);
    const [event] = await socket.reply();
    expect(event).toMatchObject({ type: 'error', status: 400, error: { code } });
    answers('one');
    expect((await socket.ask({ model: 'native', input: 'a' })).type).toBe('response.completed');
  });

  it('a binary frame is an error event', async () => {
    socket.sendRaw(Buffer.from('{}'));
    expect((await socket.reply())[0]).toMatchObject({ error: { code: 'invalid_json' } });
  });

  it('a balance that ends between two turns refuses the second, which is not sent', async () => {
    const poor = await service.newCustomer(COST + 1);
    const own = await ResponsesSocket.open(service.url, poor.key);
    answers('one');
    const request = { model: 'native', max_output_tokens: 50, store: false, input: 'a' };
    expect((await own.ask(request)).type).toBe('response.completed');
    const sent = native.requests.length;
    const refused = await own.ask(request);
    expect(refused).toMatchObject({ type: 'error', status: 400 });
    expect(refused.error?.code).toBe('insufficient_quota');
    expect(native.requests).toHaveLength(sent);
    await own.close();
  });

  it('an unknown key gets no WebSocket', async () => {
    await expect(ResponsesSocket.open(service.url, 'sk-none')).rejects.toThrow('refused');
  });
});
