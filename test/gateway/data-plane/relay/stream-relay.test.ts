import { describe, expect, it } from 'vitest';
import { steadyNowMs } from '../../../../gateway/platform/clock/steady-clock.ts';
import type { StopReason } from '../../../../gateway/platform/errors/stop-code.ts';
import { chatForms } from '../../../../gateway/protocols/openai-chat/pass-through/reply-forms.ts';
import { ChatStream } from '../../../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';
import { SSE_KEEP_ALIVE } from '../../../../gateway/protocols/sse/keep-alive.ts';
import {
  LATE_USAGE_MS_MAX,
  StreamRelay,
} from '../../../../gateway/data-plane/relay/stream-relay.ts';
import type { StreamMeter } from '../../../../gateway/data-plane/relay/relay-parts.ts';
import type { UpstreamBody } from '../../../../gateway/data-plane/relay/upstream-body.ts';

type Sink = Parameters<UpstreamBody['attach']>[0];

/** An upstream's body that is fed by hand. */
class HandFedBody implements UpstreamBody {
  sink: Sink | undefined;
  paused = false;
  lent = false;
  attach(sink: Sink): void {
    this.sink = sink;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  lend(): void {
    this.lent = true;
  }
}

class HandSetMeter implements StreamMeter {
  mustWait = false;
  stopCode: StopReason | null = null;
  readonly told: number[] = [];
  answer: () => void = () => undefined;
  delivered(outputTokens: number): void {
    this.told.push(outputTokens);
  }
  onAnswer(listener: () => void): void {
    this.answer = listener;
  }
}

function chunk(content: string, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: finishReason }];
  const object = 'chat.completion.chunk';
  return `data: ${JSON.stringify({ id: 'c', object, created: 1, model: 'm', choices })}\n\n`;
}

const DONE = 'data: [DONE]\n\n';
const USAGE =
  'data: {"choices":[],"usage":{"prompt_tokens":8,"completion_tokens":300,"total_tokens":308}}\n\n';
const KEEP_ALIVE_MS = 15_000;
const REPLY_BYTES_MAX = 10_000;

function openRelay(choicesAsked = 1) {
  const body = new HandFedBody();
  const meter = new HandSetMeter();
  let sent = '';
  let begun = 0;
  const take = (bytes: string | Uint8Array): boolean => {
    sent += Buffer.from(bytes).toString();
    return true;
  };
  const reader = new ChatStream({
    publicModel: 'm',
    includeUsage: false,
    choices: choicesAsked,
  });
  const relay = new StreamRelay({
    body,
    forms: chatForms,
    replyBytesMax: REPLY_BYTES_MAX,
    client: {
      startStream: take,
      write: take,
      onWritable: () => undefined,
      keepAlive: () => SSE_KEEP_ALIVE,
      begunReply: null,
      contentBegins: () => {
        begun += 1;
      },
    },
    reader,
    meter,
    keepAliveMs: KEEP_ALIVE_MS,
    started: false,
    lastWriteAtMs: 0,
  });
  const feed = (text: string): void => body.sink?.data(Buffer.from(text));
  return { relay, body, meter, reader, feed, sent: () => sent, begun: () => begun };
}

it.each([
  ['insufficient_balance', 'funds_exhausted', true],
  ['key_budget_exceeded', 'funds_exhausted', true],
  ['ledger_unavailable', 'ledger_unavailable', false],
] as const)(
  'ends a stream that may not go on because of %s as %s',
  async (code, kind, finished) => {
    const { relay, meter, body, feed } = openRelay();
    meter.mustWait = true;
    feed(chunk('Hello'));
    expect(body.paused).toBe(true);
    meter.stopCode = code;
    meter.answer();
    const end = await relay.ended;
    expect(end.kind).toBe(kind);
    if (!('last' in end)) throw new Error('nothing is said at the end');
    expect(end.last).toContain(`"code":"${code}"`);
    // Only who is out of money has got all that there is for it.
    expect(end.last.includes('"finish_reason":"length"')).toBe(finished);
  },
);

it.each([
  ['at once', ''],
  ['within the event behind it', 'data: {"choices":[],"usa'],
])('a reply that broke after its finish_reason is whole: %s', async (_name, rest) => {
  const { relay, body, feed, sent } = openRelay();
  feed(chunk('Hello', 'stop') + rest);
  body.sink?.failure({ failed: 'connection_broke', detail: 'ECONNRESET' });
  expect(await relay.ended).toMatchObject({ kind: 'completed' });
  expect(sent()).toContain('Hello');
  expect(sent()).not.toContain('error');
});

it.each([
  ['broke before its finish_reason', chunk('Hello')],
  ['ends in an error', chunk('Hello', 'stop') + 'data: {"error":{"message":"x"}}\n\n'],
])('a reply that %s is not', async (_name, events) => {
  const { relay, body, feed } = openRelay();
  feed(events);
  body.sink?.failure({ failed: 'connection_broke', detail: 'ECONNRESET' });
  expect(await relay.ended).toMatchObject({ kind: 'upstream_disconnected' });
});

describe('a reply of which two choices were asked for, and one has come to its end', () => {
  it('is not whole when the connection breaks there', async () => {
    const { relay, body, feed } = openRelay(2);
    feed(chunk('Hello', 'stop'));
    body.sink?.failure({ failed: 'connection_broke', detail: 'ECONNRESET' });
    expect(await relay.ended).toMatchObject({ kind: 'upstream_disconnected' });
  });

  it('is all that this upstream makes when it ends there', async () => {
    const { relay, body, feed } = openRelay(2);
    feed(chunk('Hello', 'stop'));
    body.sink?.end();
    expect(await relay.ended).toMatchObject({ kind: 'completed' });
  });
});

describe('an end marker that comes before the usage', () => {
  it('is waited behind, and what comes there is billed', async () => {
    const { relay, feed, reader, sent } = openRelay();
    feed(chunk('Hello', 'stop') + DONE);
    feed(chunk('Hello again'));
    feed(USAGE);
    expect(await relay.ended).toEqual({ kind: 'completed' });
    expect(reader.usage).toMatchObject({ input: 8, output: 300 });
    expect(sent()).not.toContain('again');
  });

  it('is the end in the same packet', async () => {
    const { relay, feed, reader } = openRelay();
    feed(chunk('Hello', 'stop') + DONE + USAGE);
    expect(await relay.ended).toEqual({ kind: 'completed' });
    expect(reader.usage).toMatchObject({ input: 8, output: 300 });
  });

  it('is not waited behind for longer than a second', async () => {
    const { relay, feed } = openRelay();
    let ended = false;
    void relay.ended.then(() => (ended = true));
    feed(chunk('Hello', 'stop') + DONE);
    relay.tick(steadyNowMs());
    await Promise.resolve();
    expect(ended).toBe(false);
    relay.tick(steadyNowMs() + LATE_USAGE_MS_MAX);
    expect(await relay.ended).toEqual({ kind: 'completed' });
  });

  it('is billed also to a client that has left meanwhile', async () => {
    const { relay, feed, reader } = openRelay();
    feed(chunk('Hello', 'stop') + DONE);
    relay.clientGone();
    feed(USAGE);
    expect(await relay.ended).toEqual({ kind: 'client_disconnected' });
    expect(reader.usage).toMatchObject({ output: 300 });
  });

  it('ends the reply when the connection breaks there', async () => {
    const { relay, feed, body } = openRelay(2);
    feed(chunk('Hello', 'stop') + DONE);
    body.sink?.failure({ failed: 'connection_broke', detail: 'ECONNRESET' });
    expect(await relay.ended).toEqual({ kind: 'completed' });
  });
});

describe('a whole reply where a stream was asked for', () => {
  const message = { role: 'assistant', content: 'Hello' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 };
  const reply = JSON.stringify({ id: 'c', object: 'chat.completion', choices, usage });

  it('is streamed when it is all there, whatever packets it came in', async () => {
    const { relay, body, feed, reader, sent } = openRelay();
    feed(' \n');
    for (const piece of reply.match(/.{1,7}/gs) ?? []) feed(piece);
    expect(sent()).toBe('');
    body.sink?.end();
    expect(await relay.ended).toEqual({ kind: 'completed' });
    expect(sent()).toMatch(/^data: \{.*"content":"Hello"/);
    expect(sent()).toContain('"finish_reason":"stop"');
    expect(reader.usage).toMatchObject({ input: 8, output: 3 });
  });

  it.each([
    ['an error', '{"error":{"message":"no"}}', 'bad_reply'],
    ['a page', '<html>', 'bad_reply'],
    ['larger than it may be', `{"x":"${'x'.repeat(REPLY_BYTES_MAX)}"}`, 'reply_too_large'],
  ])('is a failure when it is %s, and nothing is sent', async (_name, text, failed) => {
    const { relay, body, feed, sent } = openRelay();
    feed(text);
    body.sink?.end();
    expect(await relay.ended).toMatchObject({ kind: 'nothing_sent', failure: { failed } });
    expect(sent()).toBe('');
  });
});

describe('a client that leaves', () => {
  /** A relay that has come as far as `events`, paused for money, when its client leaves. */
  function leaveAfter(events: string) {
    const left = openRelay();
    let ended = false;
    void left.relay.ended.then(() => (ended = true));
    left.meter.mustWait = true;
    left.feed(events);
    left.relay.clientGone();
    // The relay's end is told in a microtask.
    const isOver = (): Promise<boolean> => Promise.resolve().then(() => ended);
    return { ...left, isOver };
  }

  it.each([
    ['before its finish_reason', chunk('Hello')],
    ['with its usage', chunk('Hello', 'stop') + USAGE],
    ['before it has got a word', chunk('', 'stop')],
  ])('%s ends it at once', async (_name, events) => {
    const { isOver } = leaveAfter(events);
    expect(await isOver()).toBe(true);
  });

  it.each([
    ['usage', USAGE],
    ['an error', 'data: {"error":{"message":"x"}}\n\n'],
    ['another choice', chunk('Hello').replace('"index":0', '"index":1')],
  ])('between finish_reason and usage ends it when %s comes', async (_name, events) => {
    const { relay, body, feed, meter, isOver } = leaveAfter(chunk('Hello', 'stop'));
    meter.answer();
    relay.tick(steadyNowMs());
    expect([body.paused, await isOver()]).toEqual([false, false]);
    feed(events);
    expect(await isOver()).toBe(true);
    expect(await relay.ended).toEqual({ kind: 'client_disconnected' });
  });

  it('is billed by what was reported after it had left', () => {
    const { feed, sent, reader } = leaveAfter(chunk('Hello', 'stop'));
    feed(USAGE);
    expect(reader.usage).toMatchObject({ input: 8, output: 300 });
    expect(sent()).not.toContain('usage');
  });

  it('in the middle of a reply that is made has its report awaited', async () => {
    const { relay, reader, body, feed } = openRelay();
    Object.assign(reader, { isMade: true });
    feed(chunk('Hello'));
    relay.clientGone();
    feed(chunk('Hello'));
    const isOver = await Promise.race([relay.ended, Promise.resolve('not over')]);
    expect([isOver, body.paused]).toEqual(['not over', false]);
    feed(chunk('', 'stop') + USAGE);
    expect(await relay.ended).toEqual({ kind: 'client_disconnected' });
    expect(reader.usage).toMatchObject({ input: 8, output: 300 });
  });

  it.each([
    ['when the upstream ends', (sink?: Sink) => sink?.end()],
    [
      'when it breaks',
      (sink?: Sink) => sink?.failure({ failed: 'connection_broke', detail: 'ECONNRESET' }),
    ],
  ])('and whose usage never comes ends it %s', async (_name, act) => {
    const { relay, body } = leaveAfter(chunk('Hello', 'stop'));
    act(body.sink);
    expect(await relay.ended).toEqual({ kind: 'client_disconnected' });
  });

  it('and whose usage does not come in time ends it then', async () => {
    const { relay } = leaveAfter(chunk('Hello', 'stop'));
    relay.tick(steadyNowMs() + LATE_USAGE_MS_MAX);
    expect(await relay.ended).toEqual({ kind: 'client_disconnected' });
  });
});

it('ends a stream that goes on beyond its limit like any that has reached it', async () => {
  const { relay, meter, feed, sent } = openRelay();
  meter.stopCode = 'output_limit';
  feed(chunk('Hello'));
  expect(await relay.ended).toEqual({ kind: 'completed' });
  expect(sent()).toMatch(/Hello.*"finish_reason":"length".*\n\n$/s);
  expect(sent()).not.toContain('error');
});

it('asks for no money for a reply that is whole', async () => {
  const { relay, body, meter, feed, sent } = openRelay();
  meter.stopCode = 'insufficient_balance';
  feed(chunk('Hello', 'stop') + DONE);
  body.sink?.end();
  expect(await relay.ended).toMatchObject({ kind: 'completed' });
  expect(sent()).toContain('Hello');
  expect(meter.told).toEqual([]);
});

it('neither waits for money nor ends for want of it between the last word and the end marker', async () => {
  const { relay, body, meter, feed, sent } = openRelay();
  meter.mustWait = true;
  feed(chunk('Hello', 'stop'));
  expect(body.paused).toBe(false);
  meter.stopCode = 'insufficient_balance';
  meter.answer();
  feed(DONE);
  body.sink?.end();
  expect(await relay.ended).toEqual({ kind: 'completed' });
  expect(sent()).not.toContain('length');
});

it('sends a comment when the client has heard nothing for so long, and none before', () => {
  const { relay, feed, sent } = openRelay();
  const comments = (): number => sent().split(SSE_KEEP_ALIVE).length - 1;
  relay.tick(KEEP_ALIVE_MS - 1);
  expect(comments()).toBe(0);
  relay.tick(KEEP_ALIVE_MS);
  relay.tick(2 * KEEP_ALIVE_MS - 1);
  expect(comments()).toBe(1);
  const beforeMs = steadyNowMs();
  feed(chunk('Hello'));
  relay.tick(beforeMs + KEEP_ALIVE_MS - 1);
  expect(comments()).toBe(1);
  relay.tick(steadyNowMs() + KEEP_ALIVE_MS);
  expect(comments()).toBe(2);
});

it('says once that content has come, and not for a comment or a role', () => {
  const { relay, feed, begun } = openRelay();
  relay.tick(60_000);
  feed(': thinking\n\n' + chunk(''));
  expect(begun()).toBe(0);
  feed(chunk('Hel'));
  feed(chunk('lo'));
  expect(begun()).toBe(1);
});
