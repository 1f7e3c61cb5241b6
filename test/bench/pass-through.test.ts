import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeUpstream, type FakeUpstream } from '../../bench/fake-upstream/fake-upstream.ts';
import { startBaseline } from '../../bench/targets/baseline.ts';
import type { Target } from '../../bench/targets/target.ts';
import { until } from '../support/clocks/hang.ts';

/** The yardstick has to do what a proxy does, or every ratio against it is wrong. */
let upstream: FakeUpstream;
let passThrough: Target;
let client: OpenAI;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  passThrough = await startBaseline('pass-through', upstream.port, 8);
  const { host, port } = passThrough.destination;
  client = new OpenAI({ baseURL: `http://${host}:${port}/v1`, apiKey: 'sk-any', maxRetries: 0 });
});

afterAll(async () => {
  await passThrough.stop();
  await upstream.close();
});

const messages = [{ role: 'user' as const, content: 'Hi' }];

describe('the pass-through', () => {
  it('has the allocator that the gateway is started with', () => {
    const environment = readFileSync(`/proc/${passThrough.pid}/environ`, 'latin1').split('\0');
    expect(environment).toContain(`MALLOC_ARENA_MAX=${availableParallelism()}`);
  });

  it('relays a whole reply', async () => {
    const reply = await client.chat.completions.create({ model: 'm', messages });
    expect(reply.choices[0]?.message.content).toBeTruthy();
  });

  it('relays the status of a refusal', async () => {
    const asked = client.chat.completions.create({ model: 'fake:status=429', messages });
    await expect(asked).rejects.toMatchObject({ status: 429 });
  });

  it('relays what there is of a stream, and aborts the upstream when its client leaves', async () => {
    upstream.behave('stuck', { kind: 'reply', end: 'hang', cutAfterEvents: 3 });
    const stream = await client.chat.completions.create({ model: 'stuck', messages, stream: true });
    let chunks = 0;
    for await (const { choices } of stream) {
      chunks += choices.length;
      if (chunks === 3) break;
    }
    await until('the end of the upstream', () => upstream.requests.at(-1)?.outcome !== 'open');
    expect(upstream.requests.at(-1)?.outcome).toBe('client_disconnected');
  });
});
