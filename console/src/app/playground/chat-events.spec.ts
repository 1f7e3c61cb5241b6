import { describe, expect, test } from 'vitest';
import { readChat, type ChatEvent } from './chat-events';
import { OPENAI_CHAT } from './dialects/openai-chat';

const encoder = new TextEncoder();

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function eventsOf(pieces: readonly Uint8Array[]): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of readChat(streamOf(pieces), OPENAI_CHAT)) events.push(event);
  return events;
}

function block(data: unknown, end = '\n\n'): string {
  return `data: ${JSON.stringify(data)}${end}`;
}

function delta(content: string | null, finish: string | null = null): object {
  return { choices: [{ index: 0, delta: { content }, finish_reason: finish }], usage: null };
}

const USAGE = {
  choices: [],
  usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 },
};

/** Umlaut, ideograph and emoji: two, three and four bytes. */
const REPLY = [
  block({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
  ': keep-alive\n\n',
  block(delta('Grüße ')),
  block(delta('你好 '), '\r\n\r\n'),
  'event: message\nid: 7\n' + block(delta('🌊')),
  block(delta(null, 'stop')),
  block(USAGE),
  'data: [DONE]\n\n',
].join('');

const EVENTS: ChatEvent[] = [
  { kind: 'text', text: 'Grüße ' },
  { kind: 'text', text: '你好 ' },
  { kind: 'text', text: '🌊' },
  { kind: 'finish', reason: 'stop' },
  { kind: 'usage', input: 12, output: 34 },
  { kind: 'end' },
];

describe('The stream of a reply', () => {
  test('is read alike wherever the network cuts it in two', async () => {
    const bytes = encoder.encode(REPLY);
    for (let at = 0; at <= bytes.length; at += 1) {
      const events = await eventsOf([bytes.subarray(0, at), bytes.subarray(at)]);
      expect(events, `cut at byte ${String(at)}`).toEqual(EVENTS);
    }
  });

  test('is read alike byte by byte', async () => {
    const bytes = encoder.encode(REPLY);
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await eventsOf(pieces)).toEqual(EVENTS);
  });

  test.each([
    ['after a whole block', block(delta('whole'))],
    [
      'within a block',
      block(delta('whole')) + `data: ${JSON.stringify(delta('half'))}`.slice(0, -9),
    ],
    ['before anything', ''],
    ['by a page of a proxy', 'data: <html>Bad gateway</html>\n\n'],
  ])(
    'is a failure when it is cut off %s: half a reply must not pass for a whole one',
    async (_, text) => {
      await expect(eventsOf([encoder.encode(text)])).rejects.toMatchObject({ code: 'cut_off' });
    },
  );

  test('reads a last block that has no empty line after it', async () => {
    const text = block(delta('a')) + 'data: [DONE]';
    expect(await eventsOf([encoder.encode(text)])).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'end' },
    ]);
  });

  test('yields an error that comes in the middle, with its code', async () => {
    const error = { error: { message: 'The upstream broke off.', code: 'upstream_error' } };
    const text = block(delta('a')) + block(error) + 'data: [DONE]\n\n';
    expect(await eventsOf([encoder.encode(text)])).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'error', message: 'The upstream broke off.', code: 'upstream_error' },
      { kind: 'end' },
    ]);
  });

  test('takes an error without a code as unknown', async () => {
    const text = block({ error: { message: 'Sorry.', code: null } }) + 'data: [DONE]\n\n';
    expect(await eventsOf([encoder.encode(text)])).toEqual([
      { kind: 'error', message: 'Sorry.', code: 'unknown' },
      { kind: 'end' },
    ]);
  });

  test('passes over objects that are no chunks', async () => {
    const text = block({ object: 'something.else' }) + 'data: [DONE]\n\n';
    expect(await eventsOf([encoder.encode(text)])).toEqual([{ kind: 'end' }]);
  });

  test('lets go of the body when its reader stops in the middle', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode(block(delta('a')))),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const event of readChat(body, OPENAI_CHAT)) {
      expect(event.kind).toBe('text');
      break;
    }
    expect(cancelled).toBe(true);
    expect(body.locked).toBe(false);
  });
});
