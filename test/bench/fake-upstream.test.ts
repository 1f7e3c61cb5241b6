import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  HTML_REPLY,
  startFakeUpstream,
  type FakeUpstream,
} from '../../bench/fake-upstream/fake-upstream.ts';
import { HANG_MS } from '../support/clocks/hang.ts';

let fake: FakeUpstream;
beforeAll(async () => {
  fake = await startFakeUpstream();
});
beforeEach(() => {
  fake.reset();
});
afterAll(() => fake.close());

const messages = [{ role: 'user' as const, content: 'Hi' }];

function post(body: object): Promise<Response> {
  return fetch(`${fake.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages, ...body }),
  });
}

function events(text: string): string[] {
  return text
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^data: /, ''));
}

async function* piecesRead(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) yield decoder.decode(piece as Uint8Array);
}

/** Returns the text that arrived before the connection broke, and whether it did break. */
async function readUntilBroken(response: Response): Promise<{ text: string; broken: boolean }> {
  let text = '';
  try {
    for await (const piece of piecesRead(response)) text += piece;
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

describe('a reply', () => {
  it('is read by the official SDK, whole and streamed', async () => {
    const client = new OpenAI({ baseURL: fake.url, apiKey: 'sk-any', maxRetries: 0 });
    const whole = await client.chat.completions.create({ model: 'm', messages });
    expect(whole.choices[0]?.message.content).toBe('Hello from the fake upstream.');
    expect(whole.usage).toEqual({ prompt_tokens: 10, completion_tokens: 6, total_tokens: 16 });
    const stream = client.chat.completions.stream({ model: 'm', messages });
    expect((await stream.finalMessage()).content).toBe('Hello from the fake upstream.');
  });

  it('streams in the order of the real API', async () => {
    fake.behave('m', { kind: 'reply', pieces: ['a', 'b'] });
    const response = await post({ model: 'm', stream: true });
    const sent = events(await response.text());
    expect(sent.at(-1)).toBe('[DONE]');
    const chunks = sent.slice(0, -1).map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(chunks.map((chunk) => chunk['choices'])).toEqual([
      [
        {
          index: 0,
          delta: { role: 'assistant', content: '' },
          logprobs: null,
          finish_reason: null,
        },
      ],
      [{ index: 0, delta: { content: 'a' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: { content: 'b' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
    ]);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  it('reports usage in a last chunk without choices when asked to, null before it', async () => {
    const response = await post({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
    });
    const sent = events(await response.text());
    const chunks = sent.slice(0, -1).map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(chunks.slice(0, -1).every((chunk) => chunk['usage'] === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 6 } });
  });

  it('reports no usage, or impossible usage, when told to', async () => {
    fake.behave('none', { kind: 'reply', usage: 'absent' });
    fake.behave('odd', { kind: 'reply', usage: { prompt_tokens: -1, completion_tokens: 'x' } });
    expect(await (await post({ model: 'none' })).json()).not.toHaveProperty('usage');
    expect(await (await post({ model: 'odd' })).json()).toMatchObject({
      usage: { prompt_tokens: -1, completion_tokens: 'x' },
    });
  });

  it('sends id, type and name of a tool call once, then fragments', async () => {
    fake.behave('m', {
      kind: 'reply',
      toolCalls: [{ id: 'call_1', name: 'weather', fragments: ['{"city"', ':"Bern"}'] }],
    });
    const client = new OpenAI({ baseURL: fake.url, apiKey: 'sk-any', maxRetries: 0 });
    const message = await client.chat.completions.stream({ model: 'm', messages }).finalMessage();
    expect(message.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
    ]);
    const text = await (await post({ model: 'm', stream: true })).text();
    expect(text.split('"id":"call_1"')).toHaveLength(2);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it('can be scripted through the model name alone', async () => {
    const text = await (await post({ model: 'fake:pieces=3,usage=absent', stream: true })).text();
    expect(events(text)).toHaveLength(1 + 3 + 1 + 1);
    expect((await post({ model: 'fake:status=503' })).status).toBe(503);
  });

  it('takes scripts in turn and stays with the last', async () => {
    fake.behave('m', [{ kind: 'status', status: 500 }, { kind: 'reply' }]);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await post({ model: 'm' })).status);
    expect(statuses).toEqual([500, 200, 200]);
  });
});

describe('a reply that goes wrong', () => {
  it('answers a status with Retry-After', async () => {
    fake.behave('m', { kind: 'status', status: 429, retryAfter: '7', body: { error: 'slow' } });
    const response = await post({ model: 'm' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toEqual({ error: 'slow' });
  });

  it('sends an error event as the first of a stream', async () => {
    fake.behave('m', { kind: 'reply', end: 'error_event', cutAfterEvents: 0 });
    const text = await (await post({ model: 'm', stream: true })).text();
    expect(events(text).map((event) => JSON.parse(event) as unknown)).toEqual([
      { error: { message: 'The model broke.', type: 'server_error', param: null, code: null } },
    ]);
  });

  it('answers HTML with status 200', async () => {
    fake.behave('m', HTML_REPLY);
    const response = await post({ model: 'm' });
    expect(response.headers.get('content-type')).toContain('text/html');
  });

  it('resets the connection midway, after what was sent has arrived', async () => {
    fake.behave('m', { kind: 'reply', pieces: 10, end: 'reset', cutAfterEvents: 3 });
    const { text, broken } = await readUntilBroken(await post({ model: 'm', stream: true }));
    expect([events(text).length, broken]).toEqual([3, true]);
    await fake.requests[0]?.closed;
    expect(fake.requests[0]?.outcome).toBe('broken_on_purpose');
  });

  it('cuts a whole reply in half', async () => {
    for (const end of ['eof', 'reset'] as const) {
      fake.behave('m', { kind: 'reply', end });
      const { text, broken } = await readUntilBroken(await post({ model: 'm' }));
      expect(text.startsWith('{"id":"chatcmpl-fake"')).toBe(true);
      expect(broken).toBe(true);
    }
  });

  it('ends a stream without [DONE]', async () => {
    fake.behave('m', { kind: 'reply', end: 'eof' });
    const { text, broken } = await readUntilBroken(await post({ model: 'm', stream: true }));
    expect(broken).toBe(false);
    expect(text).toContain('"finish_reason":"stop"');
    expect(text).not.toContain('[DONE]');
  });

  it('hangs after some events until the client leaves, and says so', async () => {
    fake.behave('m', { kind: 'reply', end: 'hang', cutAfterEvents: 2 });
    const response = await post({ model: 'm', stream: true });
    let text = '';
    for await (const piece of piecesRead(response)) {
      text += piece;
      if (events(text).length === 2) break;
    }
    await fake.requests[0]?.closed;
    expect(fake.requests[0]?.outcome).toBe('client_disconnected');
  });

  it('holds the headers back', async () => {
    fake.behave('late', { kind: 'reply', headersDelayMs: 2 * HANG_MS });
    let answered = false;
    const late = post({ model: 'late' }).finally(() => (answered = true));
    await fake.untilRequests(1);
    await (await post({ model: 'm' })).text();
    expect(answered).toBe(false);
    await fake.refuse();
    await expect(late).rejects.toThrow();
    await fake.accept();
    fake.behave('late', { kind: 'reply', headersDelayMs: 1 });
    expect((await post({ model: 'late' })).status).toBe(200);
  });

  it('refuses connections and accepts them again', async () => {
    await fake.refuse();
    await expect(post({ model: 'm' })).rejects.toThrow();
    await fake.accept();
    expect((await post({ model: 'm' })).status).toBe(200);
  });

  it('does not answer a doubled or missing /v1', async () => {
    for (const path of ['/v1/v1/chat/completions', '/chat/completions']) {
      const url = new URL(path, fake.url);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404);
    }
  });
});

describe('what it saw', () => {
  it('is recorded and can be echoed', async () => {
    fake.behave('m', { kind: 'echo' });
    const reply = (await (await post({ model: 'm', top_k: 3 })).json()) as {
      choices: { message: { content: string } }[];
    };
    expect(JSON.parse(reply.choices[0]?.message.content ?? '')).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: { model: 'm', top_k: 3, messages },
    });
    expect(fake.requests).toHaveLength(1);
    expect(fake.requests[0]?.body).toMatchObject({ top_k: 3 });
  });

  it('shows backpressure: a flood stops when the reader does not read', async () => {
    const floodBytes = 64 * 1_048_576;
    fake.behave('m', { kind: 'flood', bytes: floodBytes });
    const body = JSON.stringify({ model: 'm', stream: true, messages });
    const socket = connect(fake.port, '127.0.0.1');
    socket.pause();
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`,
    );
    const [request] = await fake.untilRequests(1);
    await expect.poll(() => request?.waiting).toBe(true);
    expect(request?.bytesWritten).toBeLessThan(floodBytes / 2);
    expect(request?.drainWaits).toBeGreaterThan(0);
    socket.resume();
    await expect.poll(() => request?.outcome).toBe('finished');
    expect(request?.bytesWritten).toBeGreaterThan(floodBytes);
    socket.destroy();
  });
});

it('runs as a process of its own, which ends in good order', async () => {
  const child = spawn(process.execPath, ['bench/fake-upstream/main.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  const reply = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: '{"model":"fake:pieces=2"}',
  });
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: 'word word' } }] });
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
