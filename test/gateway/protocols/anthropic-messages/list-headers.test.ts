import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMessageStrictly } from '../../../support/clients/messages-wire.ts';
import { serve, type Served } from './support/serve.ts';

const BETAS = ['effort-2025-11-24', 'context-management-2025-06-27', 'files-api-2025-04-14'];

let served: Served;

beforeAll(async () => {
  served = await serve();
});

afterAll(() => served.close());

it('an upstream gets every line of a client’s betas: the Go SDK sends a line for each', async () => {
  const { key, model, url } = await served.newCustomer('anthropic');
  served.anthropic.script = () => ({
    json: { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm' },
  });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'anthropic-beta': BETAS,
    };
    const sent = request(`${url}/v1/messages`, { method: 'POST', headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }));
  });
  expect(status).toBe(200);
  expect(served.anthropic.requests[0]?.headers['anthropic-beta']).toBe(BETAS.join(', '));
});

it('a client over another upstream sees an estimate of its prompt from the beginning', async () => {
  const customer = await served.newCustomer('openai');
  const messages = [{ role: 'user', content: 'word '.repeat(1_000) }];
  const text = await (await customer.messages({ stream: true, messages })).text();
  expect(readMessageStrictly(text).finished).toBe(true);
  const [, estimate] = /"message_start".*?"input_tokens":(\d+)/.exec(text) ?? [];
  expect(Number(estimate)).toBeGreaterThan(500);
  expect(Number(estimate)).toBeLessThan(2_500);
});
