import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeUpstream, type FakeUpstream } from '../../bench/fake-upstream/fake-upstream.ts';

/** Runs the load generator's upstream the way the benchmarks do: as a process of its own. */
const child = spawn(process.execPath, ['bench/fake-upstream/main.ts', '--engine', 'uws'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
});

let url: string;
let reference: FakeUpstream;
beforeAll(async () => {
  reference = await startFakeUpstream();
  [url] = (await once(createInterface(child.stdout), 'line')) as [string];
});
afterAll(async () => {
  await reference.close();
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
});

const messages = [{ role: 'user' as const, content: 'Hi' }];

async function ask(base: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages, ...body }),
  });
  return { status: response.status, text: await response.text() };
}

it('answers what the node:http fake answers', async () => {
  const includeUsage = { stream: true, stream_options: { include_usage: true } };
  for (const model of ['m', 'fake:pieces=1,usage=absent']) {
    for (const options of [{}, { stream: true }, includeUsage]) {
      const body = { model, ...options };
      expect(await ask(url, body)).toEqual(await ask(reference.url, body));
    }
  }
});

it('streams with a delay between the pieces', async () => {
  const client = new OpenAI({ baseURL: url, apiKey: 'sk-any', maxRetries: 0 });
  const before = performance.now();
  const model = 'fake:pieces=5,delay=10';
  const stream = client.chat.completions.stream({ model, messages });
  expect((await stream.finalMessage()).content?.split('word')).toHaveLength(6);
  // Role, four more pieces, finish and [DONE] follow the first event.
  expect(performance.now() - before).toBeGreaterThan(50);
});

it('survives a client that leaves midway', async () => {
  const client = new OpenAI({ baseURL: url, apiKey: 'sk-any', maxRetries: 0 });
  const stream = await client.chat.completions.create({
    model: 'fake:pieces=500,delay=5',
    messages,
    stream: true,
  });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  expect((await ask(url, { model: 'm' })).status).toBe(200);
});

it('does not pretend to play what it cannot', async () => {
  expect((await ask(url, { model: 'fake:status=429' })).status).toBe(501);
});
