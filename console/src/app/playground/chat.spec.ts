import { describe, expect, test } from 'vitest';
import { Chat, type ChatRequest } from './chat';

const REQUEST: ChatRequest = {
  gatewayUrl: 'https://gateway.example.org',
  key: 'sk-secret',
  model: 'gpt-6.2-sol',
  protocol: 'openai-chat',
  system: 'Be brief.',
  parameters: { temperature: 0.5 },
  modelOutputTokensMax: 4_096,
};
const REQUEST_ID = '01a1fe10-0000-7000-8000-000000000050';

interface Call {
  readonly url: string;
  readonly init: RequestInit;
}

/** A gateway whose stream is written by hand, and a clock that stands until it is moved. */
function gateway(respond?: () => Response | undefined) {
  const calls: Call[] = [];
  const encoder = new TextEncoder();
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  let nowMs = 1_000;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (writer = controller),
  });
  const fetchHere = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    calls.push({ url: url instanceof Request ? url.url : String(url), init });
    init.signal?.addEventListener('abort', () => writer?.error(init.signal?.reason));
    return Promise.resolve(
      respond?.() ?? new Response(body, { headers: { 'x-request-id': REQUEST_ID } }),
    );
  };
  return {
    calls,
    chat: new Chat({ fetch: fetchHere, now: () => nowMs }),
    pass: (ms: number) => void (nowMs += ms),
    write: async (...events: unknown[]) => {
      for (const event of events) {
        const data = typeof event === 'string' ? event : JSON.stringify(event);
        writer?.enqueue(encoder.encode(`data: ${data}\n\n`));
      }
      await settle();
    },
    end: () => writer?.close(),
    break: () => writer?.error(new TypeError('network error')),
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function text(content: string): object {
  return { choices: [{ delta: { content }, finish_reason: null }] };
}

const FINISH = { choices: [{ delta: {}, finish_reason: 'stop' }] };
const USAGE = { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } };

function refusal(status: number, error: object): Response {
  return Response.json({ error }, { status, headers: { 'x-request-id': REQUEST_ID } });
}

describe('A conversation', () => {
  test('streams a reply, with figures that become exact', async () => {
    const { chat, pass, write, end } = gateway();
    const sent = chat.send('Hello?', REQUEST);
    expect(chat.state()).toBe('waiting');
    await settle();
    pass(350);
    await write(text('Hello, '));
    expect(chat.state()).toBe('streaming');
    expect(chat.figures()).toMatchObject({ firstTokenMs: 350, exact: false, outputTokens: 2 });
    pass(650);
    await write(text('world.'));
    expect(chat.messages().at(-1)).toEqual({ role: 'assistant', content: 'Hello, world.' });
    expect(chat.figures()).toMatchObject({ firstTokenMs: 350, elapsedMs: 1_000 });
    await write(FINISH, USAGE, '[DONE]');
    end();
    await sent;
    expect(chat.state()).toBe('done');
    expect(chat.figures()).toEqual({
      inputTokens: 12,
      outputTokens: 3,
      exact: true,
      firstTokenMs: 350,
      elapsedMs: 1_000,
      requestId: REQUEST_ID,
      finishReason: 'stop',
    });
  });

  test('sends what a client would: the key, no cookies, instructions first', async () => {
    const { chat, calls, write, end } = gateway();
    const sent = chat.send('Hello?', REQUEST);
    await write('[DONE]');
    end();
    await sent;
    const [call] = calls;
    expect(call?.url).toBe('https://gateway.example.org/v1/chat/completions');
    expect(call?.init).toMatchObject({
      method: 'POST',
      credentials: 'omit',
      headers: { authorization: 'Bearer sk-secret' },
    });
    expect(await new Response(call?.init.body).json()).toEqual({
      model: 'gpt-6.2-sol',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
      ],
    });
  });

  test('sends nothing more while a reply runs', async () => {
    const { chat, calls, write, end } = gateway();
    const sent = chat.send('One', REQUEST);
    await chat.send('Two', REQUEST);
    await write('[DONE]');
    end();
    await sent;
    expect(calls).toHaveLength(1);
    expect(chat.messages().map(({ content }) => content)).toEqual(['One']);
  });

  test('stops when asked, keeps what arrived and calls it no failure', async () => {
    const { chat, calls, write } = gateway();
    const sent = chat.send('Hello?', REQUEST);
    await write(text('Half an'));
    chat.stop();
    await sent;
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    expect(chat.state()).toBe('stopped');
    expect(chat.failure()).toBeUndefined();
    expect(chat.messages().at(-1)?.content).toBe('Half an');
    expect([chat.billable(), chat.figures().exact]).toEqual([true, false]);
    // The bill has the counts that the stream never came to.
    chat.noteBilled('of a former reply', { input: 1, output: 1 });
    expect(chat.figures().exact).toBe(false);
    chat.noteBilled(REQUEST_ID, { input: 21, output: 9 });
    expect(chat.figures()).toMatchObject({ inputTokens: 21, outputTokens: 9, exact: true });
  });

  test('keeps an error where it happened, and goes on without it', async () => {
    const error = { message: 'The balance is used up.', code: 'insufficient_balance' };
    let isRefused = true;
    const { chat, calls, write, end } = gateway(() =>
      isRefused ? refusal(402, error) : undefined,
    );
    await chat.send('One', REQUEST);
    isRefused = false;
    const sent = chat.send('Two', REQUEST);
    await settle();
    await write(text('2'), '[DONE]');
    end();
    await sent;
    expect(chat.messages().map(({ content, failure }) => [content, failure?.code])).toEqual([
      ['One', 'insufficient_balance'],
      ['Two', undefined],
      ['2', undefined],
    ]);
    const body: unknown = await new Response(calls[1]?.init.body).json();
    expect(JSON.stringify(body)).not.toContain('failure');
  });

  test('stops before the first text too', async () => {
    const { chat } = gateway();
    const sent = chat.send('Hello?', REQUEST);
    await settle();
    chat.stop();
    await sent;
    expect(chat.state()).toBe('stopped');
    expect(chat.messages()).toHaveLength(1);
    expect(chat.billable()).toBe(false);
  });

  test('shows a refusal with its code and the request id', async () => {
    const error = { message: 'The balance is used up.', code: 'insufficient_balance' };
    const { chat } = gateway(() => refusal(402, error));
    await chat.send('Hello?', REQUEST);
    expect(chat.state()).toBe('failed');
    expect(chat.failure()).toMatchObject({
      code: 'insufficient_balance',
      status: 402,
      detail: 'The balance is used up.',
      requestId: REQUEST_ID,
    });
    expect(chat.billable()).toBe(false);
  });

  test('takes a code it does not know, and a page of a proxy, for unknown', async () => {
    for (const response of [
      refusal(418, { message: 'Teapot.', code: 'teapot' }),
      new Response('<html>Bad gateway</html>', { status: 502 }),
    ]) {
      const { chat } = gateway(() => response);
      await chat.send('Hello?', REQUEST);
      expect(chat.failure()).toMatchObject({ code: 'unknown', status: response.status });
    }
  });

  test('shows an error that comes in the middle of a stream, after what had arrived', async () => {
    const { chat, write } = gateway();
    const sent = chat.send('Hello?', REQUEST);
    await write(text('Half'), { error: { message: 'It broke.', code: 'upstream_error' } });
    await sent;
    expect(chat.state()).toBe('failed');
    expect(chat.failure()).toMatchObject({ code: 'upstream_error', requestId: REQUEST_ID });
    expect(chat.messages().at(-1)?.content).toBe('Half');
    expect(chat.billable()).toBe(true);
  });

  test('says that a reply was cut off, and that a gateway is out of reach', async () => {
    const cut = gateway();
    const sent = cut.chat.send('Hello?', REQUEST);
    await cut.write(text('Half'));
    cut.end();
    await sent;
    expect(cut.chat.failure()?.code).toBe('cut_off');

    const gone = gateway();
    const lost = gone.chat.send('Hello?', REQUEST);
    await gone.write(text('Half'));
    gone.break();
    await lost;
    expect(gone.chat.failure()?.code).toBe('unreachable');
  });

  test('goes on where it was, and begins again when cleared', async () => {
    const { chat, write, end } = gateway();
    const sent = chat.send('One', REQUEST);
    await write(text('1'), '[DONE]');
    end();
    await sent;
    expect(chat.messages()).toHaveLength(2);
    chat.clear();
    expect([chat.messages(), chat.state(), chat.figures().requestId]).toEqual([[], 'idle', null]);
  });
});
